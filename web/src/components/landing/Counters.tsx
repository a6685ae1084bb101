import { useStrings } from '@/lib/strings/index.ts'
import styles from './Counters.module.css'

export function Counters() {
  const { brand, landing } = useStrings()
  return (
    <section className={styles.band} aria-label={landing.counters}>
      <dl className={styles.list}>
        {brand.counters.map(({ label, value, live }) => (
          <div key={label} className={styles.counter}>
            <dt className={styles.label}>{live ? `${label} (${landing.live})` : label}</dt>
            <dd className={styles.value}>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
