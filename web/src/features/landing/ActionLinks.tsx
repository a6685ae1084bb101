import { Link } from 'react-router'
import { buttonClass } from '@/components/button.ts'
import styles from './ActionLinks.module.css'
import type { Action } from './sections.ts'

export function ActionLinks({ actions }: { actions: Action[] }) {
  return (
    <div className={styles.actions}>
      {actions.map(({ to, label, look }) => (
        <Link key={to} to={to} className={buttonClass(look)}>
          {label}
        </Link>
      ))}
    </div>
  )
}
