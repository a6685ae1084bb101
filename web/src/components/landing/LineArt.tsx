import styles from './LineArt.module.css'

/** Line drawings, 48 by 48. `fill` is a surface behind the lines. */
const DRAWINGS: Record<string, { lines: string; fill?: string }> = {
  exchange: {
    lines: 'M8 18H36L29 11M40 30H12L19 37',
    fill: 'M24 24m-18 0a18 18 0 1 0 36 0a18 18 0 1 0 -36 0',
  },
  travel: {
    lines:
      'M24 42C14 31 11 25 11 19A13 13 0 0 1 37 19C37 25 34 31 24 42ZM19 19A5 5 0 1 0 29 19A5 5 0 1 0 19 19M6 42H42',
    fill: 'M24 42C14 31 11 25 11 19A13 13 0 0 1 37 19C37 25 34 31 24 42Z',
  },
  fashion: {
    lines: 'M17 7L8 13L12 21L16 19V41H32V19L36 21L40 13L31 7C29 12 19 12 17 7ZM16 30H32',
    fill: 'M16 30H32V41H16Z',
  },
  grid: {
    lines: 'M7 10H41M7 20H41M7 30H41M7 40H41M8 35L16 25L22 33L31 15L40 24',
    fill: 'M7 20H41V30H7Z',
  },
  trend: {
    lines: 'M7 7V41H41M13 34L21 26L27 30L39 14M39 14H31M39 14V22',
    fill: 'M13 41V34L21 26L27 30L39 14V41Z',
  },
  coin: {
    lines:
      'M24 6A18 18 0 1 1 24 42A18 18 0 1 1 24 6ZM24 33C18 33 15 28 15 19C21 19 24 24 24 33ZM24 33C30 33 33 28 33 19C27 19 24 24 24 33Z',
    fill: 'M24 33C18 33 15 28 15 19C21 19 24 24 24 33Z',
  },
  lessons: {
    lines:
      'M24 13C19 9 12 9 6 11V38C12 36 19 36 24 40C29 36 36 36 42 38V11C36 9 29 9 24 13V40M30 19L36 18M30 26L36 25',
    fill: 'M24 13C19 9 12 9 6 11V38C12 36 19 36 24 40Z',
  },
  robot: {
    lines: 'M10 18H38V38H10ZM24 18V9M21 9H27M5 25V31M43 25V31M18 26V28M30 26V28M18 34H30',
    fill: 'M10 18H38V38H10Z',
  },
  arbitrage: {
    lines: 'M24 8V40M14 40H34M24 12L9 16M24 12L39 16M9 16L4 27H14ZM39 16L34 27H44Z',
    fill: 'M4 27H14A5 5 0 0 1 4 27ZM34 27H44A5 5 0 0 1 34 27Z',
  },
}

/** In the order of the brand's lists. */
export const PROJECT_ART = ['exchange', 'travel', 'fashion', 'grid', 'trend', 'coin']
export const PACKAGE_ART = ['lessons', 'robot', 'arbitrage']

export function LineArt({ name }: { name: string | undefined }) {
  const drawing = DRAWINGS[name ?? '']
  if (!drawing) return null
  return (
    <svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true" className={styles.art}>
      {drawing.fill && <path d={drawing.fill} className={styles.fill} />}
      <path d={drawing.lines} className={styles.lines} />
    </svg>
  )
}
