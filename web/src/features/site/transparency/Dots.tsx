import { useStrings } from '@/lib/strings/index.ts'
import styles from './Transparency.module.css'

const PEOPLE = Array.from({ length: 100 }, (_, index) => index)

/** A hundred members: those who earned nothing first. */
export function Dots({ nothing }: { nothing: number }) {
  const { transparency: t } = useStrings()
  const count = Math.round(nothing / 10_000)
  return (
    <figure className={styles.dots}>
      <svg viewBox="0 0 200 100" role="img" aria-label={t.dots({ count, rest: 100 - count })}>
        {PEOPLE.map((one) => (
          <circle
            key={one}
            cx={5 + (one % 20) * 10}
            cy={10 + Math.floor(one / 20) * 20}
            r="3.6"
            className={one < count ? styles.nobody : styles.earner}
          />
        ))}
      </svg>
      <figcaption>
        <span>
          <i className={styles.nobodyKey} /> {t.dotNothing}: {count}
        </span>
        <span>
          <i className={styles.earnerKey} /> {t.dotSomething}: {100 - count}
        </span>
      </figcaption>
    </figure>
  )
}
