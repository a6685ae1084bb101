import { useId, useState } from 'react'
import { Link } from 'react-router'
import { buttonClass } from '@/components/button.ts'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './About.module.css'
import { LandingSection } from './LandingSection.tsx'
import { Specimen } from './Specimen.tsx'

export function About() {
  const { brand, landing } = useStrings()
  const { heading, lead, rules, paragraphs, explore_more } = brand.about
  const [open, setOpen] = useState(false)
  const moreId = useId()
  return (
    <LandingSection id="About" heading={heading} lead={lead} look="deep">
      <div className={styles.columns}>
        <ul className={styles.rules}>
          {rules.map(({ title, text }) => (
            <li key={title} className={styles.rule}>
              <h3 className={styles.title}>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
        <Specimen />
      </div>
      <div className={styles.more}>
        <button
          type="button"
          className={buttonClass('deep')}
          aria-expanded={open}
          aria-controls={moreId}
          onClick={() => setOpen(!open)}
        >
          {open ? landing.exploreLess : explore_more}
        </button>
        <div id={moreId} hidden={!open} className={styles.story}>
          {paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <p>
            <Link to="/Bifolia">{landing.liveFigures}</Link>
          </p>
        </div>
      </div>
    </LandingSection>
  )
}
