import type { ReactNode } from 'react'
import { Amount } from '@/components/Amount.tsx'
import { Card } from '@/components/Card.tsx'
import type { Dashboard } from '@/lib/queries/dashboard.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Dashboard.module.css'

/** Members and business of both legs. The brand's trends are decoration, labelled as samples. */
export function Stats({ row }: { row: Dashboard }) {
  const { dashboard: t, brand } = useMemberStrings()
  const { trends } = brand.dashboard
  return (
    <div className={styles.cards}>
      <People
        title={t.referrals}
        trend={trends[0]}
        left={[row.TotalLeftActiveReferral, row.TotalLeftInactiveReferral, row.TotalLeftReferral]}
        right={[
          row.TotalRightActiveReferral,
          row.TotalRightInactiveReferral,
          row.TotalRightReferral,
        ]}
      />
      <People
        title={t.team}
        trend={trends[1]}
        left={[row.TotalLeftActiveTeam, row.TotalLeftInactiveTeam, row.TotalLeftTeam]}
        right={[row.TotalRightActiveTeam, row.TotalRightInactiveTeam, row.TotalRightTeam]}
      />
      <Business
        title={t.directBusiness}
        trend={trends[2]}
        total={row.totalDirectBusiness}
        left={row.totalDirectBusinessleft}
        right={row.totalDirectBusinessright}
      />
      <Business
        title={t.teamBusiness}
        trend={trends[3]}
        total={row.totalTeamBusiness}
        left={row.totalTeamBusinessleft}
        right={row.totalTeamBusinessright}
      />
    </div>
  )
}

const count = new Intl.NumberFormat('en-US')

type Side = readonly [active: number, inactive: number, all: number]

interface PeopleProps {
  title: string
  trend: string | undefined
  left: Side
  right: Side
}

function People({ title, trend, left, right }: PeopleProps) {
  const { dashboard: t } = useMemberStrings()
  return (
    <Card title={title}>
      <Total trend={trend}>
        {count.format(left[2])} / {count.format(right[2])}
      </Total>
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

/** The trend is not computed: it must never be shown without the label. */
function Total({ trend, children }: { trend: string | undefined; children: ReactNode }) {
  const { brand } = useMemberStrings()
  return (
    <div className={styles.total}>
      <p className={styles.value}>{children}</p>
      {trend && (
        <p className={styles.trend}>
          {brand.dashboard.trends_label}: {trend}
        </p>
      )}
    </div>
  )
}

interface BusinessProps {
  title: string
  trend: string | undefined
  total: string
  left: string
  right: string
}

function Business({ title, trend, total, left, right }: BusinessProps) {
  const { dashboard: t } = useMemberStrings()
  return (
    <Card title={title}>
      <Total trend={trend}>
        <Amount value={total} />
      </Total>
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
