import { CircleAlert, CircleCheck, Clock } from 'lucide-react'
import { term } from '@/lib/strings/speech.ts'
import styles from './StatusBadge.module.css'

/** Undefined where neither has been decided yet. */
export type Judgement = boolean | undefined

/** A status in its own word, told in the reader's language; green or red, with an icon, because colour alone says nothing. */
export function StatusBadge({ word, good }: { word: string; good: Judgement }) {
  const Icon = good === undefined ? Clock : good ? CircleCheck : CircleAlert
  return (
    <span className={styles.badge} data-good={good}>
      <Icon size={14} aria-hidden="true" />
      {term(word)}
    </span>
  )
}
