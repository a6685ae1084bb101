import { CircleAlert, CircleCheck } from 'lucide-react'
import styles from './StatusBadge.module.css'

/** A status in its own word; green or red, with an icon, because colour alone says nothing. */
export function StatusBadge({ word, good }: { word: string; good: boolean }) {
  const Icon = good ? CircleCheck : CircleAlert
  return (
    <span className={styles.badge} data-good={good}>
      <Icon size={14} aria-hidden="true" />
      {word}
    </span>
  )
}
