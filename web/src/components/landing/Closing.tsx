import { Link } from 'react-router'
import { buttonClass } from '@/components/button.ts'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './Closing.module.css'
import { LandingSection } from './LandingSection.tsx'

/** The last words before the footer. */
export function Closing() {
  const { closing: t } = useStrings().landing
  return (
    <LandingSection id="Start" heading={t.heading} lead={t.text} look="deep" beside>
      <div className={styles.actions}>
        <Link to="/Signup" className={buttonClass('deep')}>
          {t.action}
        </Link>
        <Link to="/Bifolia" className={styles.link}>
          {t.figures}
        </Link>
      </div>
    </LandingSection>
  )
}
