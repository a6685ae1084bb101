import { queryOptions, useQuery } from '@tanstack/react-query'
import { answerOf, listOf } from '../../api/answer.ts'
import { operatorApi } from '../client.ts'
import { has, type Right } from '../rights.ts'
import { useMe } from './me.ts'

const one = (state: string) => ({ params: { query: { state, size: '1' } } })

const mayApprove = (row: { mayApprove: boolean }) => row.mayApprove

/** The operator that the counts are for: nobody approves their own proposal. */
interface Operator {
  id: string
  email: string
  role: string
}

/** Counts the pending decisions of every kind. */
async function countToDo({ id, email, role }: Operator) {
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
    /** Without the operator's own proposals. */
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

export type ToDoCounts = Awaited<ReturnType<typeof countToDo>>['counts']

/** The right that each decision needs. Overdue tickets are counted among the tickets. */
const RIGHTS: Record<Exclude<keyof ToDoCounts, 'overdue'>, Right> = {
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

/** The number of decisions that an operator of this role may take. */
export function mineOf(role: string, counts: ToDoCounts): number {
  const names = Object.keys(RIGHTS) as (keyof typeof RIGHTS)[]
  return names.reduce((sum, name) => sum + (has(role, RIGHTS[name]) ? counts[name] : 0), 0)
}

/** The decisions that an operator of this role may take now. */
const forMe = (role: string, counts: ToDoCounts): ReadonlySet<keyof ToDoCounts> =>
  new Set(
    (Object.keys(counts) as (keyof ToDoCounts)[]).filter(
      (name) => counts[name] > 0 && has(role, RIGHTS[name === 'overdue' ? 'tickets' : name]),
    ),
  )

/** Whether an operator of this role takes decisions at all. */
export const decides = (role: string): boolean =>
  Object.values(RIGHTS).some((right) => has(role, right))

export const toDoOptions = (me: Operator) =>
  queryOptions({
    queryKey: ['toDo', me.id, me.role],
    refetchOnWindowFocus: 'always',
    queryFn: () => countToDo(me),
  })

/** The counts of pending decisions, read again when the operator returns to the page. */
export function useToDo() {
  const { data: me } = useMe()
  const { id = '', email = '', role = '' } = me ?? {}
  return useQuery({
    ...toDoOptions({ id, email, role }),
    enabled: role !== '',
    select: ({ counts, others }) => ({
      counts,
      mine: mineOf(role, others),
      forMe: forMe(role, others),
    }),
  })
}
