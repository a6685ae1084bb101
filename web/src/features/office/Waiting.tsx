import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { answerOf, listOf } from '@/lib/api/answer.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { useMe } from '@/lib/operator/me.ts'
import { has, type Right } from '@/lib/operator/rights.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import styles from './Home.module.css'

const one = (state: string) => ({ params: { query: { state, size: '1' } } })

/** Everything that somebody of the office has to decide, counted. */
async function askWaiting(role: string) {
  const [
    funds,
    withdrawals,
    approved,
    sent,
    batches,
    claims,
    tickets,
    overdue,
    closes,
    bookings,
    plans,
    settings,
    proposals,
    erasures,
  ] = await Promise.all([
    listOf(operatorApi.GET('/api/operator/fundRequests', one('Pending'))),
    listOf(operatorApi.GET('/api/operator/withdrawals', one('Pending'))),
    listOf(operatorApi.GET('/api/operator/withdrawals', one('Approved'))),
    listOf(operatorApi.GET('/api/operator/withdrawals', one('Sent'))),
    listOf(operatorApi.GET('/api/operator/payouts', { params: { query: { size: '100' } } })),
    listOf(
      operatorApi.GET('/api/operator/claims', {
        params: { query: { state: 'Open', size: '1' } },
      }),
    ),
    listOf(
      operatorApi.GET('/api/operator/tickets', {
        params: { query: { state: 'waiting', size: '1' } },
      }),
    ),
    listOf(
      operatorApi.GET('/api/operator/tickets', {
        params: { query: { overdue: 'true', size: '1' } },
      }),
    ),
    answerOf(operatorApi.GET('/api/operator/close/days', { params: { query: { size: 1 } } })),
    answerOf(operatorApi.GET('/api/operator/bookings')),
    answerOf(operatorApi.GET('/api/operator/plan')),
    answerOf(operatorApi.GET('/api/operator/settings')),
    has(role, 'operators')
      ? listOf(operatorApi.GET('/api/operator/proposals'))
      : { rows: [], total: 0 },
    has(role, 'compliance') ? listOf(operatorApi.GET('/api/operator/erasures')) : { total: 0 },
  ])
  const waiting = settings.data.sections.filter((section) => section.waiting)
  return {
    counts: {
      funds: funds.total,
      withdrawals: withdrawals.total,
      approved: approved.total,
      sent: sent.total,
      batches: batches.rows.filter(({ state }) => state === 'proposed').length,
      claims: claims.total,
      tickets: tickets.total,
      overdue: overdue.total,
      closes: closes.data.next.over ? 1 : 0,
      bookings: bookings.data.waiting.length,
      plans: plans.data.proposals.filter(({ state }) => state === 'proposed').length,
      brand: waiting.filter(({ section }) => section === 'content').length,
      settings: waiting.filter(({ section }) => section !== 'content').length,
      proposals: proposals.rows.filter(({ state }) => state === 'waiting').length,
      erasures: erasures.total,
    },
  }
}

const TILES = [
  ['funds', '/admin/funds'],
  ['withdrawals', '/admin/withdrawals'],
  ['approved', '/admin/withdrawals?state=Approved'],
  ['sent', '/admin/withdrawals?state=Sent'],
  ['batches', '/admin/payouts'],
  ['claims', '/admin/claims'],
  ['tickets', '/admin/tickets'],
  ['overdue', '/admin/tickets?overdue=true'],
  ['closes', '/admin/close'],
  ['bookings', '/admin/trading'],
  ['plans', '/admin/plan'],
  ['brand', '/admin/brand'],
  ['settings', '/admin/settings'],
  ['proposals', '/admin/operators'],
  ['erasures', '/admin/members'],
] as const

/** What only some are asked about. */
const FOR: Partial<Record<(typeof TILES)[number][0], Right>> = {
  bookings: 'money',
  proposals: 'operators',
  erasures: 'compliance',
}

export function Waiting() {
  const { console: t } = useConsoleStrings()
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
    <section aria-labelledby="waiting">
      <h2 id="waiting" className={styles.heading}>
        {t.home.waiting}
      </h2>
      <div className={styles.tiles}>
        {tiles.map(([name, to]) => (
          <Link
            key={name}
            to={to}
            className={styles.tile}
            data-waits={data.counts[name] > 0}
            data-late={name === 'overdue' && data.counts[name] > 0}
          >
            <span className={styles.count}>{data.counts[name]}</span>
            <span className={styles.label}>{t.home.tiles[name]}</span>
          </Link>
        ))}
      </div>
    </section>
  )
}
