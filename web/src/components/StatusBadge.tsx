import { CircleAlert, CircleCheck, CircleX, Clock } from 'lucide-react'
import { term } from '@/lib/strings/serverText.ts'
import styles from './StatusBadge.module.css'

/** Undefined while the status is neither good nor bad. */
export type Judgement = boolean | undefined

/** These ended without success: a tick would say the opposite, even where the colour is green. */
const REFUSED = ['Rejected', 'Cancelled']

/** A status as a word with an icon, in green or red: colour alone must not carry the meaning. */
export function StatusBadge({ word, good }: { word: string; good: Judgement }) {
  const Icon = REFUSED.includes(word)
    ? CircleX
    : good === undefined
      ? Clock
      : good
        ? CircleCheck
        : CircleAlert
  return (
    <span className={styles.badge} data-good={good}>
      <Icon size={14} aria-hidden="true" />
      {term(word)}
    </span>
  )
}
