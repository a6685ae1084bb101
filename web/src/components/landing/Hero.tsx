import { useState } from 'react'
import { Link } from 'react-router'
import { buttonClass } from '@/components/button.ts'
import { RiskNotice } from '@/components/RiskNotice.tsx'
import { usePart } from '@/components/usePart.ts'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './Hero.module.css'
import { HeroArt } from './HeroArt.tsx'

export function Hero() {
  const { brand, landing, error } = useStrings()
  const { part, failed, fetchPart } = usePart(() => import('./Explainer.tsx'), { quiet: true })
  const [watching, setWatching] = useState(false)
  return (
    <section className={styles.hero}>
      <div className={styles.words}>
        <h1 className={styles.heading}>{brand.hero.heading}</h1>
        <p className={styles.lead}>{brand.hero.lead}</p>
        <div className={styles.actions}>
          <Link to="/Signup" className={buttonClass('primary')}>
            {brand.hero.sign_up}
          </Link>
          <button
            type="button"
            className={buttonClass('quiet')}
            onClick={() => {
              setWatching(true)
              void fetchPart()
            }}
          >
            {brand.hero.watch_video}
          </button>
        </div>
        {failed && <p role="alert">{error.part}</p>}
      </div>
      <HeroArt label={landing.art} className={styles.art} />
      <div className={styles.notice}>
        <RiskNotice />
      </div>
      {watching && part && <part.Explainer onClose={() => setWatching(false)} />}
    </section>
  )
}
