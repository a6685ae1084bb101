import { useId } from 'react'
import styles from './Chart.module.css'

interface Series {
  name: string
  values: number[]
}

interface ChartProps {
  title: string
  note: string
  kind: 'line' | 'bars'
  /** A currency stands before the number, another unit after it. */
  unit: string
  labels: string[]
  series: Series[]
}

const WIDTH = 320
const HEIGHT = 150
const TOP = 8
const BOTTOM = HEIGHT - 8
/** The space between the drawing and its labels. */
const GAP = 4
/** The greatest average width of a character of the labels. */
const CHARACTER = 6.2
/** Distinguishes series without colour. */
const DASHES = ['0', '6 4', '2 4', '10 3 2 3']

/** Dollars are whole or have cents; percentages have one place. */
const written = (value: number, unit: string) => {
  const isMoney = /^\p{Sc}$/u.test(unit)
  const figure = Math.abs(value).toLocaleString('en-US', {
    minimumFractionDigits: isMoney && !Number.isInteger(value) ? 2 : 0,
    maximumFractionDigits: unit === '%' ? 1 : 2,
  })
  const sign = value < 0 ? '−' : ''
  if (isMoney) return `${sign}${unit}${figure}`
  return `${sign}${figure}${unit === '%' ? '' : ' '}${unit}`
}

/**
 * A small chart: a few lines, or bars on both sides of zero. Negative values extend the scale too.
 */
export function Chart({ title, note, kind, unit, labels, series }: ChartProps) {
  const titleId = useId()
  const all = series.flatMap(({ values }) => values)
  const low = kind === 'bars' ? Math.min(0, ...all) : Math.min(...all)
  const high = kind === 'bars' ? Math.max(0, ...all) : Math.max(...all)
  const y = (value: number) => BOTTOM - ((value - low) / (high - low || 1)) * (BOTTOM - TOP)
  const marks = [...new Set(low < 0 && high > 0 ? [low, 0, high] : [low, high])]
  // Leaves room for the longest label, so that it does not leave the card.
  const longest = Math.max(8, ...marks.map((mark) => written(mark, unit).length))
  const right = WIDTH - GAP - longest * CHARACTER
  return (
    <figure className={styles.figure} aria-labelledby={titleId}>
      <h3 id={titleId} className={styles.title}>
        {title}
      </h3>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className={styles.chart}
        role="img"
        aria-label={`${title}: ${labels[0]} – ${labels.at(-1)}, ${written(low, unit)} – ${written(high, unit)}`}
      >
        {marks.map((mark) => (
          <g key={mark}>
            <path d={`M0 ${y(mark)}H${right}`} className={styles.rule} data-zero={mark === 0} />
            <text x={right + GAP} y={y(mark) + 3.5} className={styles.mark}>
              {written(mark, unit)}
            </text>
          </g>
        ))}
        {kind === 'bars' ? (
          <Bars values={series[0]?.values ?? []} y={y} right={right} />
        ) : (
          series.map(({ name, values }, index) => (
            <polyline
              key={name}
              className={styles.line}
              data-series={index}
              strokeDasharray={DASHES[index % DASHES.length]}
              points={values
                .map((v, i) => `${(i * right) / (values.length - 1)},${y(v)}`)
                .join(' ')}
            />
          ))
        )}
      </svg>
      {series.length > 1 && <Legend series={series} />}
      <figcaption className={styles.note}>{note}</figcaption>
    </figure>
  )
}

interface BarsProps {
  values: number[]
  y: (value: number) => number
  right: number
}

function Bars({ values, y, right }: BarsProps) {
  const step = right / values.length
  const zero = y(0)
  return values.map((value, index) => {
    const x = index * step + step * 0.15
    const top = Math.min(zero, y(value))
    return (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its place
        key={index}
        x={x}
        y={top}
        width={step * 0.7}
        height={Math.abs(y(value) - zero)}
        className={styles.bar}
        data-loss={value < 0}
      />
    )
  })
}

function Legend({ series }: { series: Series[] }) {
  return (
    <ul className={styles.legend}>
      {series.map(({ name }, index) => (
        <li key={name}>
          <svg viewBox="0 0 24 8" width="24" height="8" aria-hidden="true">
            <path
              d="M0 4H24"
              className={styles.line}
              data-series={index}
              strokeDasharray={DASHES[index % DASHES.length]}
            />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}
