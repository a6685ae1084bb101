import styles from './Faq.module.css'
import { LandingSection } from './LandingSection.tsx'
import type { SectionOf } from './sections.ts'

/** The shared name makes the browser keep one item open at a time. */
const GROUP = 'landing-faq'

export function Faq({ id, heading, items }: SectionOf<'faq'>) {
  return (
    <LandingSection id={id} heading={heading} band beside>
      <div className={styles.list}>
        {items.map(({ title, text }, index) => (
          <details key={title} name={GROUP} open={index === 0} className={styles.item}>
            <summary className={styles.question}>
              {title}
              <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
                <path d="m3 6 5 5 5-5" />
              </svg>
            </summary>
            <p className={styles.answer}>{text}</p>
          </details>
        ))}
      </div>
    </LandingSection>
  )
}
