import { useStrings } from '@/lib/strings/index.ts'
import styles from './Cards.module.css'
import { LandingSection } from './LandingSection.tsx'
import { LineArt, PROJECT_ART } from './LineArt.tsx'

export function Projects() {
  const { heading, lead, items } = useStrings().brand.projects
  return (
    <LandingSection id="Projects" heading={heading} lead={lead}>
      <ul className={styles.bento}>
        {items.map(({ title, text }, index) => (
          <li key={title} className={styles.card}>
            <LineArt name={PROJECT_ART[index]} />
            <h3 className={styles.title}>{title}</h3>
            <p className={styles.text}>{text}</p>
          </li>
        ))}
      </ul>
    </LandingSection>
  )
}
