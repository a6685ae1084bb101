import { useQuery } from '@tanstack/react-query'
import layout from '@/components/console/layout.module.css'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import styles from './Close.module.css'
import { closeProgressOptions } from './queries.ts'

/** The progress of the running close; read again while it is visible. */
export function Progress() {
  const { closes: t } = useConsoleStrings()
  const { data } = useQuery(closeProgressOptions)
  const percent = data?.running ? data.percent : undefined
  const phase = t.phases[data?.phase as keyof typeof t.phases] ?? t.working
  return (
    <div role="status">
      <progress className={styles.progress} max={100} value={percent} aria-label={t.progress} />
      <p className={layout.hint}>
        {phase} {percent !== undefined && `${percent} %`}
      </p>
    </div>
  )
}
