import { useQuery } from '@tanstack/react-query'
import { answerOf, listOf } from '../../api/answer.ts'
import { operatorApi } from '../client.ts'
import { has, type Right } from '../rights.ts'
import { useMe } from './me.ts'

const one = (state: string) => ({ params: { query: { state, size: '1' } } })

const mayApprove = (row: { mayApprove: boolean }) => row.mayApprove

/** Whoever proposed something does not approve it. */
interface Me {
  id: string
  email: string
  role: string
}

/** Everything that somebody of the office has to decide, counted. */
async function askWaiting({ id, email, role }: Me) {
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
    corrections,
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
    answerOf(operatorApi.GET('/api/operator/corrections')),
    answerOf(operatorApi.GET('/api/operator/plan')),
    answerOf(operatorApi.GET('/api/operator/settings')),
    has(role, 'operators')
      ? listOf(operatorApi.GET('/api/operator/proposals'))
      : { rows: [], total: 0 },
    has(role, 'compliance')
      ? listOf(operatorApi.GET('/api/operator/erasures'))
      : { rows: [], total: 0 },
  ])
  const waiting = settings.data.sections.flatMap((section) => section.waiting ?? [])
  const proposed = {
    batches: batches.rows.filter(({ state }) => state === 'proposed'),
    plans: plans.data.proposals.filter(({ state }) => state === 'proposed'),
    brand: waiting.filter(({ section }) => section === 'content'),
    settings: waiting.filter(({ section }) => section !== 'content'),
    proposals: proposals.rows.filter(({ state }) => state === 'waiting'),
  }
  const counts = {
    funds: funds.total,
    withdrawals: withdrawals.total,
    approved: approved.total,
    sent: sent.total,
    batches: proposed.batches.length,
    claims: claims.total,
    tickets: tickets.total,
    overdue: overdue.total,
    closes: closes.data.next.over ? 1 : 0,
    bookings: bookings.data.waiting.length,
    corrections: corrections.data.waiting.length,
    plans: proposed.plans.length,
    brand: proposed.brand.length,
    settings: proposed.settings.length,
    proposals: proposed.proposals.length,
    erasures: erasures.total,
  }
  return {
    counts,
    /** Without what one has proposed oneself. */
    others: {
      ...counts,
      bookings: bookings.data.waiting.filter(mayApprove).length,
      corrections: corrections.data.waiting.filter(mayApprove).length,
      batches: proposed.batches.filter((row) => row.proposed_by !== email).length,
      plans: proposed.plans.filter((row) => row.proposed_by !== email).length,
      brand: proposed.brand.filter(mayApprove).length,
      settings: proposed.settings.filter(mayApprove).length,
      proposals: proposed.proposals.filter(({ by }) => by !== id).length,
      erasures: erasures.rows.filter(({ by }) => by !== id).length,
    },
  }
}

export type Waits = Awaited<ReturnType<typeof askWaiting>>['counts']

/** Whom each waits for. Tickets that are overdue are among the tickets. */
const WHOSE: Record<Exclude<keyof Waits, 'overdue'>, Right> = {
  funds: 'money',
  withdrawals: 'money',
  approved: 'money',
  sent: 'money',
  batches: 'money',
  claims: 'money',
  tickets: 'support',
  closes: 'money',
  bookings: 'money',
  corrections: 'money',
  plans: 'money',
  brand: 'compliance',
  settings: 'money',
  proposals: 'operators',
  erasures: 'compliance',
}

/** How much of it an operator of this role may do something about. */
export function mineOf(role: string, counts: Waits): number {
  const names = Object.keys(WHOSE) as (keyof typeof WHOSE)[]
  return names.reduce((sum, name) => sum + (has(role, WHOSE[name]) ? counts[name] : 0), 0)
}

/** Whether anything can wait for an operator of this role. */
export const decides = (role: string): boolean =>
  Object.values(WHOSE).some((right) => has(role, right))

/** What waits, asked again when somebody comes back to the page: not while nobody looks. */
export function useWaiting() {
  const { data: me } = useMe()
  const { id = '', email = '', role = '' } = me ?? {}
  return useQuery({
    queryKey: ['waiting', id, role],
    enabled: role !== '',
    refetchOnWindowFocus: 'always',
    queryFn: () => askWaiting({ id, email, role }),
    select: ({ counts, others }) => ({ counts, mine: mineOf(role, others) }),
  })
}
