import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { buttonClass } from '@/components/button.ts'
import { RiskNotice } from '@/components/RiskNotice.tsx'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './Hero.module.css'
import { HeroArt } from './HeroArt.tsx'

const Explainer = lazy(() => import('./Explainer.tsx'))

export function Hero() {
  const { brand, landing } = useStrings()
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
          <button type="button" className={buttonClass('quiet')} onClick={() => setWatching(true)}>
            {brand.hero.watch_video}
          </button>
        </div>
      </div>
      <HeroArt label={landing.art} className={styles.art} />
      <div className={styles.notice}>
        <RiskNotice />
      </div>
      {watching && (
        <Suspense>
          <Explainer onClose={() => setWatching(false)} />
        </Suspense>
      )}
    </section>
  )
}
