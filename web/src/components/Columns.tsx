import type { ReactNode } from 'react'
import styles from './Columns.module.css'

interface ColumnsProps {
  children: ReactNode
  side: ReactNode
  /** On a phone the side column comes before the form. */
  sideFirst?: boolean
}

/** A form with a side column; on a phone one above the other. */
export function Columns({ children, side, sideFirst = false }: ColumnsProps) {
  return (
    <div className={styles.columns}>
      {sideFirst && <div className={`${styles.stack} ${styles.side}`}>{side}</div>}
      <div className={styles.stack}>{children}</div>
      {!sideFirst && <div className={styles.stack}>{side}</div>}
    </div>
  )
}
