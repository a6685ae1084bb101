import { useStrings } from '@/lib/strings/index.ts'
import { chooseMode, useMode } from './mode.ts'
import styles from './ThemeSwitch.module.css'

export function ThemeSwitch() {
  const { theme } = useStrings()
  const mode = useMode()
  const other = mode === 'dark' ? 'light' : 'dark'
  const label = other === 'dark' ? theme.useDark : theme.useLight
  return (
    <button
      type="button"
      className={styles.button}
      onClick={() => chooseMode(other)}
      aria-label={label}
      title={label}
    >
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <circle cx="12" cy="12" r="8.25" className={styles.ring} />
        <path
          d={
            mode === 'dark'
              ? 'M12 3.75a8.25 8.25 0 0 0 0 16.5Z'
              : 'M12 3.75a8.25 8.25 0 0 1 0 16.5Z'
          }
          className={styles.half}
        />
      </svg>
    </button>
  )
}
