import styles from './About.module.css'
import { LandingSection } from './LandingSection.tsx'
import { Specimen } from './Specimen.tsx'
import type { SectionOf } from './sections.ts'

export function About({ id, heading, lead, rules }: SectionOf<'about'>) {
  return (
    <LandingSection id={id} heading={heading} lead={lead}>
      <div className={styles.columns}>
        <ul className={styles.rules}>
          {rules.map(({ title, text }) => (
            <li key={title} className={styles.rule}>
              <h3 className={styles.title}>{title}</h3>
              <p className={styles.text}>{text}</p>
            </li>
          ))}
        </ul>
        <Specimen />
      </div>
    </LandingSection>
  )
}
