import styles from './Dashboard.module.css'
import { IncomeChart } from './IncomeChart.tsx'
import { LegsChart } from './LegsChart.tsx'

/** Both pictures; fetched after the figures, which people come for. */
export function Charts() {
  return (
    <div className={styles.columns}>
      <IncomeChart />
      <LegsChart />
    </div>
  )
}
