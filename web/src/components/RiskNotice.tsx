import { useStrings } from '@/lib/strings/index.ts'
import styles from './RiskNotice.module.css'

interface RiskNoticeProps {
  /** Distinguishes two notices on one page. */
  of?: string
  /** Replaces the brand's words, where nothing is traded. */
  words?: { title: string; text: string }
}

/** Accompanies every mention of returns. */
export function RiskNotice({ of, words }: RiskNoticeProps) {
  const { risk } = useStrings().brand
  const { title, text } = words ?? risk
  const label = of === undefined ? risk.label : `${risk.label}: ${of}`
  return (
    <aside className={styles.notice} aria-label={label}>
      <RiskIcon />
      <p className={styles.words}>
        <strong>{title}</strong> <span>{text}</span>
      </p>
    </aside>
  )
}

/** The short form, for a card that mentions trading. */
export function RiskTag() {
  const { risk } = useStrings().brand
  return (
    <p className={styles.tag}>
      <RiskIcon />
      {risk.tag}
    </p>
  )
}

function RiskIcon() {
  return (
    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" className={styles.icon}>
      <path d="M12 4 2.8 20h18.4Z" />
      <path d="M12 10.5v4.5M12 17.3v.2" />
    </svg>
  )
}
