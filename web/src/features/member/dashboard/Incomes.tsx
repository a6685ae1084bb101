import { Link } from 'react-router'
import { Amount } from '@/components/Amount.tsx'
import { Card } from '@/components/Card.tsx'
import type { Dashboard } from '@/lib/queries/dashboard.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Dashboard.module.css'
import { INCOME_KINDS } from './kinds.ts'

/** The ten incomes. Each row leads to its report. */
export function Incomes({ row }: { row: Dashboard }) {
  const { dashboard: t } = useMemberStrings()
  return (
    <Card title={t.incomes}>
      <dl>
        {INCOME_KINDS.map(({ text, total, report }) => (
          <div key={text} className={styles.line}>
            <dt>
              <Link to={report} className={styles.whole}>
                {t[text]}
              </Link>
            </dt>
            <dd>
              <Amount value={row[total]} />
            </dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>{t.roiNote}</p>
    </Card>
  )
}
