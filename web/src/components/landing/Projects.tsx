import { useStrings } from '@/lib/strings/index.ts'
import styles from './Cards.module.css'
import { LandingSection } from './LandingSection.tsx'

export function Projects() {
  const { heading, lead, items } = useStrings().brand.projects
  return (
    <LandingSection id="Projects" heading={heading} lead={lead} band>
      <ul className={`${styles.list} ${styles.three}`}>
        {items.map(({ title, text }) => (
          <li key={title} className={styles.card}>
            <h3 className={styles.title}>{title}</h3>
            <p className={styles.text}>{text}</p>
          </li>
        ))}
      </ul>
    </LandingSection>
  )
}
