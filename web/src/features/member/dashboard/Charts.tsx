import type { Dashboard } from '@/lib/queries/dashboard.ts'
import styles from './Dashboard.module.css'
import { IncomeChart } from './IncomeChart.tsx'
import { LegsChart } from './LegsChart.tsx'

/** Both charts, loaded after the figures. */
export function Charts({ row }: { row: Dashboard }) {
  return (
    <div className={styles.columns}>
      <IncomeChart />
      <LegsChart row={row} />
    </div>
  )
}
