import { useStrings } from '@/lib/strings/index.ts'
import styles from './Faq.module.css'
import { LandingSection } from './LandingSection.tsx'

/** The shared name makes the browser keep one item open at a time. */
const GROUP = 'landing-faq'

export function Faq() {
  const { heading, items } = useStrings().brand.faq
  return (
    <LandingSection id="Faq" heading={heading} look="band" beside>
      <div className={styles.list}>
        {items.map(({ question, answer }, index) => (
          <details key={question} name={GROUP} open={index === 0} className={styles.item}>
            <summary className={styles.question}>
              {question}
              <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
                <path d="m3 6 5 5 5-5" />
              </svg>
            </summary>
            <p className={styles.answer}>{answer}</p>
          </details>
        ))}
      </div>
    </LandingSection>
  )
}
