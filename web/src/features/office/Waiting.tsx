import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Card } from '@/components/Card.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Facts } from '@/components/Facts.tsx'
import { StatusBadge } from '@/components/StatusBadge.tsx'
import { answerOf, listOf } from '@/lib/api/answer.ts'
import { formatDay, formatMoment } from '@/lib/dates.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { type Me, useMe } from '@/lib/operator/me.ts'
import { has, type Right } from '@/lib/operator/rights.ts'
import { type Strings, useStrings } from '@/lib/strings/index.ts'
import styles from './Home.module.css'

const one = (state: string) => ({ params: { query: { state, size: '1' } } })

/** Everything that somebody of the office has to decide, counted. */
async function askWaiting(role: string) {
  const [funds, withdrawals, approved, sent, closes, plans, proposals, erasures] =
    await Promise.all([
      listOf(operatorApi.GET('/api/operator/fundRequests', one('Pending'))),
      listOf(operatorApi.GET('/api/operator/withdrawals', one('Pending'))),
      listOf(operatorApi.GET('/api/operator/withdrawals', one('Approved'))),
      listOf(operatorApi.GET('/api/operator/withdrawals', one('Sent'))),
      answerOf(operatorApi.GET('/api/operator/close/days', { params: { query: { size: 1 } } })),
      answerOf(operatorApi.GET('/api/operator/plan')),
      has(role, 'operators')
        ? listOf(operatorApi.GET('/api/operator/proposals'))
        : { rows: [], total: 0 },
      has(role, 'compliance') ? listOf(operatorApi.GET('/api/operator/erasures')) : { total: 0 },
    ])
  const { next, days } = closes.data
  return {
    counts: {
      funds: funds.total,
      withdrawals: withdrawals.total,
      approved: approved.total,
      sent: sent.total,
      closes: next.over ? 1 : 0,
      plans: plans.data.proposals.filter(({ state }) => state === 'proposed').length,
      proposals: proposals.rows.filter(({ state }) => state === 'waiting').length,
      erasures: erasures.total,
    },
    next,
    last: days[0],
  }
}

type State = Awaited<ReturnType<typeof askWaiting>>

const TILES = [
  ['funds', '/admin/funds'],
  ['withdrawals', '/admin/withdrawals'],
  ['approved', '/admin/withdrawals?state=Approved'],
  ['sent', '/admin/withdrawals?state=Sent'],
  ['closes', '/admin/close'],
  ['plans', '/admin/plan'],
  ['proposals', '/admin/operators'],
  ['erasures', '/admin/members'],
] as const

/** What only some are asked about. */
const FOR: Partial<Record<(typeof TILES)[number][0], Right>> = {
  proposals: 'operators',
  erasures: 'compliance',
}

export function Waiting() {
  const { console: t } = useStrings()
  const { data: me } = useMe()
  const role = me?.role ?? ''
  const { data, error, refetch } = useQuery({
    queryKey: ['waiting', role],
    enabled: role !== '',
    queryFn: () => askWaiting(role),
  })
  if (error) {
    return <ErrorNotice error={error} text={t.home.failed} onRetry={() => void refetch()} />
  }
  if (!data || !me) return <Skeleton height={160} />
  const tiles = TILES.filter(([name]) => has(role, FOR[name] ?? 'everybody'))
  return (
    <>
      <section aria-labelledby="waiting">
        <h2 id="waiting" className={styles.heading}>
          {t.home.waiting}
        </h2>
        <div className={styles.tiles}>
          {tiles.map(([name, to]) => (
            <Link key={name} to={to} className={styles.tile} data-waits={data.counts[name] > 0}>
              <span className={styles.count}>{data.counts[name]}</span>
              <span className={styles.label}>{t.home.tiles[name]}</span>
            </Link>
          ))}
        </div>
      </section>
      <Card title={t.home.health}>
        <Facts facts={healthOf(data, me, t)} />
      </Card>
    </>
  )
}

const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

function healthOf({ last, next }: State, me: Me, t: Strings['console']) {
  const never = t.home.never
  return [
    [t.home.lastClosed, last ? formatDay(last.day) : never],
    [t.home.closedAt, last ? formatMoment(last.at, zone()) : never],
    [
      t.home.nextDay,
      next.day === '' ? (
        never
      ) : (
        <span key="next" className={styles.ratio}>
          {formatDay(next.day)}
          <StatusBadge word={next.over ? t.home.overdue : t.home.running} good={!next.over} />
        </span>
      ),
    ],
    [t.home.recovery, me.recoveryLeft],
  ] as const
}
