import { Link } from 'react-router'
import { BrandLink } from '@/components/BrandLink.tsx'
import { buttonClass } from '@/components/button.ts'
import { RiskNotice } from '@/components/RiskNotice.tsx'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './Cards.module.css'
import { LandingSection } from './LandingSection.tsx'
import { LineArt, PACKAGE_ART } from './LineArt.tsx'

export function Packages() {
  const { brand, landing } = useStrings()
  const { heading, lead, items, view_more } = brand.packages
  return (
    <LandingSection id="Services" heading={heading} lead={lead}>
      <ul className={styles.list}>
        {items.map(({ title, text, price, notice }, index) => (
          <li key={title} className={`${styles.card} ${styles.priced}`}>
            <LineArt name={PACKAGE_ART[index]} />
            <h3 className={styles.title}>{title}</h3>
            <p className={styles.price}>{price}</p>
            <p className={styles.text}>{text}</p>
            <p className={styles.notice}>{notice}</p>
            <Link
              to="/Signup"
              className={buttonClass('quiet')}
              aria-label={landing.startWith({ title })}
            >
              {landing.start}
            </Link>
          </li>
        ))}
      </ul>
      <RiskNotice />
      <div className={styles.more}>
        <BrandLink href={view_more.href} className={buttonClass('quiet')}>
          {view_more.label}
        </BrandLink>
      </div>
    </LandingSection>
  )
}
