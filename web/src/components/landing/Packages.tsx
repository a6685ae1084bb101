import { BrandLink } from '@/components/BrandLink.tsx'
import { buttonClass } from '@/components/button.ts'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './Cards.module.css'
import { LandingSection } from './LandingSection.tsx'

export function Packages() {
  const { heading, lead, items, view_more } = useStrings().brand.packages
  return (
    <LandingSection id="Services" heading={heading} lead={lead}>
      <ul className={styles.list}>
        {items.map(({ title, text, price, notice }) => (
          <li key={title} className={`${styles.card} ${styles.priced}`}>
            <h3 className={styles.title}>{title}</h3>
            <p className={styles.price}>{price}</p>
            <p className={styles.text}>{text}</p>
            <p className={styles.notice}>{notice}</p>
          </li>
        ))}
      </ul>
      <div className={styles.more}>
        <BrandLink href={view_more.href} className={buttonClass('quiet')}>
          {view_more.label}
        </BrandLink>
      </div>
    </LandingSection>
  )
}
