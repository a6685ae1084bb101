import { RiskTag } from '@/components/RiskNotice.tsx'
import { formatMoney } from '@/lib/money.ts'
import { LandingSection } from './LandingSection.tsx'
import styles from './Services.module.css'
import type { SectionOf, Service } from './sections.ts'

export function Services({ id, heading, lead, items }: SectionOf<'services'>) {
  return (
    <LandingSection id={id} heading={heading} lead={lead} band>
      <ul className={styles.list}>
        {items.map((item) => (
          <ServiceCard key={item.title} {...item} />
        ))}
      </ul>
    </LandingSection>
  )
}

function ServiceCard({ title, text, note, price, risky }: Service) {
  return (
    <li className={styles.card}>
      <h3 className={styles.title}>{title}</h3>
      <p className={styles.text}>{text}</p>
      <div className={styles.foot}>
        {price && (
          <p>
            <span className={styles.price}>{formatMoney(price)}</span>{' '}
            <span className={styles.note}>{note}</span>
          </p>
        )}
        {risky && <RiskTag />}
      </div>
    </li>
  )
}
