import { Amount } from '@/components/Amount.tsx'
import { Card } from '@/components/Card.tsx'
import type { Dashboard } from '@/lib/api/dashboard.ts'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './Dashboard.module.css'

/** People and business, left and right. */
export function Stats({ row }: { row: Dashboard }) {
  const { dashboard: t } = useStrings()
  return (
    <div className={styles.cards}>
      <People
        title={t.referrals}
        left={[row.TotalLeftActiveReferral, row.TotalLeftInactiveReferral, row.TotalLeftReferral]}
        right={[
          row.TotalRightActiveReferral,
          row.TotalRightInactiveReferral,
          row.TotalRightReferral,
        ]}
      />
      <People
        title={t.team}
        left={[row.TotalLeftActiveTeam, row.TotalLeftInactiveTeam, row.TotalLeftTeam]}
        right={[row.TotalRightActiveTeam, row.TotalRightInactiveTeam, row.TotalRightTeam]}
      />
      <Business
        title={t.directBusiness}
        total={row.totalDirectBusiness}
        left={row.totalDirectBusinessleft}
        right={row.totalDirectBusinessright}
      />
      <Business
        title={t.teamBusiness}
        total={row.totalTeamBusiness}
        left={row.totalTeamBusinessleft}
        right={row.totalTeamBusinessright}
      />
    </div>
  )
}

const count = new Intl.NumberFormat('en-US')

type Side = readonly [active: number, inactive: number, all: number]

function People({ title, left, right }: { title: string; left: Side; right: Side }) {
  const { dashboard: t } = useStrings()
  return (
    <Card title={title}>
      <p className={styles.value}>
        {count.format(left[2])} / {count.format(right[2])}
      </p>
      <div className={styles.sides}>
        {[[t.left, left] as const, [t.right, right] as const].map(([name, [active, inactive]]) => (
          <div key={name}>
            <p className={styles.name}>{name}</p>
            <p className={styles.good}>
              {count.format(active)} {t.active}
            </p>
            <p className={styles.bad}>
              {count.format(inactive)} {t.inactive}
            </p>
          </div>
        ))}
      </div>
    </Card>
  )
}

interface BusinessProps {
  title: string
  total: string
  left: string
  right: string
}

function Business({ title, total, left, right }: BusinessProps) {
  const { dashboard: t } = useStrings()
  return (
    <Card title={title}>
      <p className={styles.value}>
        <Amount value={total} />
      </p>
      <div className={styles.sides}>
        <div>
          <p className={styles.name}>{t.left}</p>
          <Amount value={left} />
        </div>
        <div>
          <p className={styles.name}>{t.right}</p>
          <Amount value={right} />
        </div>
      </div>
    </Card>
  )
}
