import type { ReactNode } from 'react'
import styles from './PageHeader.module.css'

interface PageHeaderProps {
  title: string
  /** Follows the title, such as a total. */
  detail?: ReactNode
  /** Buttons at the end of the line. */
  actions?: ReactNode
}

export function PageHeader({ title, detail, actions }: PageHeaderProps) {
  return (
    <div className={styles.header}>
      <h1 className={styles.title}>
        {title} {detail && <span className={styles.detail}>{detail}</span>}
      </h1>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}

/** A page whose heading and cards have the same distance. */
export function PageStack({ children }: { children: ReactNode }) {
  return <div className={styles.stack}>{children}</div>
}
