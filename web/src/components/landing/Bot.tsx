import { Link } from 'react-router'
import { Chart } from '@/components/Chart.tsx'
import { RiskNotice } from '@/components/RiskNotice.tsx'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './Bot.module.css'
import { LandingSection } from './LandingSection.tsx'

export function Bot() {
  const { brand, landing } = useStrings()
  const { heading, paragraphs, charts } = brand.bot
  return (
    <LandingSection id="Bot" heading={heading} band>
      <div className={styles.words}>
        {paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <p>
          <Link to="/Bifolia">{landing.liveFigures}</Link>
        </p>
      </div>
      <ul className={styles.charts}>
        {charts.map((chart) => (
          <li key={chart.title}>
            <Chart {...chart} />
          </li>
        ))}
      </ul>
      <RiskNotice of={heading} />
    </LandingSection>
  )
}
