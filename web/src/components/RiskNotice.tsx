import { useStrings } from '@/lib/strings/index.ts'
import styles from './RiskNotice.module.css'

/** Accompanies every mention of returns. `of` distinguishes two on one page. */
export function RiskNotice({ of }: { of?: string }) {
  const { risk } = useStrings().brand
  const label = of === undefined ? risk.label : `${risk.label}: ${of}`
  return (
    <aside className={styles.notice} aria-label={label}>
      <RiskIcon />
      <p className={styles.words}>
        <strong>{risk.title}</strong> <span>{risk.text}</span>
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
