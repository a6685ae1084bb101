import { useState } from 'react'
import { Link } from 'react-router'
import { buttonClass } from '@/components/button.ts'
import { usePart } from '@/components/usePart.ts'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './Hero.module.css'
import { Now } from './Now.tsx'
import { ProductPicture } from './ProductPicture.tsx'

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
        <p className={styles.risk}>
          {brand.risk.title} <Link to="/Bifolia">{landing.risk}</Link>
        </p>
      </div>
      <div className={styles.picture}>
        <ProductPicture className={styles.product} />
        <div className={styles.now}>
          <Now />
        </div>
      </div>
      {watching && part && <part.Explainer onClose={() => setWatching(false)} />}
    </section>
  )
}
