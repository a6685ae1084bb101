import { ActionLinks } from './ActionLinks.tsx'
import styles from './Contact.module.css'
import { LandingSection } from './LandingSection.tsx'
import type { SectionOf } from './sections.ts'

export function Contact({ id, heading, text, actions }: SectionOf<'contact'>) {
  return (
    <LandingSection id={id} heading={heading} beside>
      <div className={styles.words}>
        <p className={styles.text}>{text}</p>
        <ActionLinks actions={actions} />
      </div>
    </LandingSection>
  )
}
