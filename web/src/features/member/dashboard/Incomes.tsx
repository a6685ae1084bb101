import { Amount } from '@/components/Amount.tsx'
import { Card } from '@/components/Card.tsx'
import type { Dashboard } from '@/lib/queries/dashboard.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Dashboard.module.css'

export function Incomes({ row }: { row: Dashboard }) {
  const { dashboard: t } = useMemberStrings()
  const lines = [
    [t.levelIncome, row.levelincome],
    [t.forexRoi, row.Roi_IncomeForex],
    [t.forexRoiLevel, row.roiLevelincomeForex],
    [t.cryptoRoi, row.Roi_IncomeCrypto],
    [t.cryptoRoiLevel, row.roiLevelincomeCrypto],
    [t.matching, row.Binary_Income],
    [t.salary, row.salaryIncome],
    [t.royalty, row.RoyaltyIncome],
    [t.rank, row.user_rank],
    [t.reward, row.user_reward],
  ] as const
  return (
    <Card title={t.incomes}>
      <dl>
        {lines.map(([name, amount]) => (
          <div key={name} className={styles.line}>
            <dt>{name}</dt>
            <dd>
              <Amount value={amount} />
            </dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>{t.roiNote}</p>
    </Card>
  )
}
