import type { ReactNode } from 'react'
import styles from './Columns.module.css'

/** A form with what belongs to it beside it; on a phone the one above the other. */
export function Columns({ children, side }: { children: ReactNode; side: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div className={styles.stack}>{children}</div>
      <div className={styles.stack}>{side}</div>
    </div>
  )
}
