import { RiskNotice } from '@/components/RiskNotice.tsx'
import { ActionLinks } from './ActionLinks.tsx'
import styles from './Hero.module.css'
import { HeroArt } from './HeroArt.tsx'
import type { SectionOf } from './sections.ts'

export function Hero({ heading, lead, art, actions }: SectionOf<'hero'>) {
  return (
    <section className={styles.hero}>
      <div className={styles.words}>
        <h1 className={styles.heading}>{heading}</h1>
        <p className={styles.lead}>{lead}</p>
        <ActionLinks actions={actions} />
      </div>
      <HeroArt label={art} className={styles.art} />
      <div className={styles.notice}>
        <RiskNotice />
      </div>
    </section>
  )
}
