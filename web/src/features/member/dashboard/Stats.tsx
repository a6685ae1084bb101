import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Amount } from '@/components/Amount.tsx'
import { Card } from '@/components/Card.tsx'
import { signOf } from '@/lib/money.ts'
import type { MemberPath } from '@/lib/paths.ts'
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
        to="/MyReferral"
        trend={trends[0]}
        left={[row.TotalLeftActiveReferral, row.TotalLeftInactiveReferral]}
        right={[row.TotalRightActiveReferral, row.TotalRightInactiveReferral]}
      />
      <People
        title={t.team}
        to="/MyTeam"
        trend={trends[1]}
        left={[row.TotalLeftActiveTeam, row.TotalLeftInactiveTeam]}
        right={[row.TotalRightActiveTeam, row.TotalRightInactiveTeam]}
      />
      <Business
        title={t.directBusiness}
        to="/DirectLegBusiness"
        trend={trends[2]}
        total={row.totalDirectBusiness}
        left={row.totalDirectBusinessleft}
        right={row.totalDirectBusinessright}
      />
      <Business
        title={t.teamBusiness}
        to="/MyTeam"
        trend={trends[3]}
        total={row.totalTeamBusiness}
        left={row.totalTeamBusinessleft}
        right={row.totalTeamBusinessright}
      />
    </div>
  )
}

const count = new Intl.NumberFormat('en-US')

type Side = readonly [active: number, inactive: number]

interface PeopleProps {
  title: string
  to: MemberPath
  trend: string | undefined
  left: Side
  right: Side
}

/** Active and inactive members: left / right. Each side leads to its list. */
function People({ title, to, trend, left, right }: PeopleProps) {
  const { dashboard: t } = useMemberStrings()
  const sides = [
    [t.left, left, 1],
    [t.right, right, 2],
  ] as const
  const hasData = sides.some(([, [active, inactive]]) => active + inactive > 0)
  return (
    <LinkCard title={title} to={to} trend={hasData ? trend : undefined}>
      <div className={styles.sides}>
        {sides.map(([side, [active, inactive], position]) => (
          <Link
            key={side}
            to={`${to}?position=${position}`}
            className={styles.side}
            aria-label={t.peopleOf({
              side,
              active: count.format(active),
              inactive: count.format(inactive),
            })}
          >
            <span className={styles.name}>{side}</span>
            <span className={styles.value}>
              <span className={styles.good}>{count.format(active)}</span>-
              <span className={styles.bad}>{count.format(inactive)}</span>
            </span>
            <span className={styles.name}>{t.activeInactive}</span>
          </Link>
        ))}
      </div>
    </LinkCard>
  )
}

interface BusinessProps {
  title: string
  to: MemberPath
  trend: string | undefined
  total: string
  left: string
  right: string
}

function Business({ title, to, trend, total, left, right }: BusinessProps) {
  const { dashboard: t } = useMemberStrings()
  return (
    <LinkCard title={title} to={to} trend={signOf(total) > 0 ? trend : undefined}>
      <p className={styles.value}>
        <Amount value={total} />
      </p>
      <div className={styles.sides}>
        {[[t.left, left] as const, [t.right, right] as const].map(([side, amount]) => (
          <div key={side}>
            <p className={styles.name}>{side}</p>
            <Amount value={amount} />
          </div>
        ))}
      </div>
    </LinkCard>
  )
}

interface LinkCardProps {
  title: string
  to: MemberPath
  /** It is not computed: it must never be shown without the label. */
  trend: string | undefined
  children: ReactNode
}

/** A card whose title leads to its report, from anywhere on the card. */
function LinkCard({ title, to, trend, children }: LinkCardProps) {
  const { brand } = useMemberStrings()
  return (
    <Card title={title} to={to} className={styles.stat}>
      {children}
      {trend && (
        <p className={styles.trend}>
          {brand.dashboard.trends_label}: {trend}
        </p>
      )}
    </Card>
  )
}
