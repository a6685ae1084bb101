import { useQuery } from '@tanstack/react-query'
import type { components } from '@/lib/api/schema.d.ts'
import { useSession } from '@/lib/session.ts'
import { type Deposit, depositOptions, requestStatesOptions } from './queries.ts'

type Schemas = components['schemas']
export type Intent = Schemas['IntentRow']
type Request = Pick<Schemas['FundRequestRow'], 'id' | 'st'>

export function useDeposit() {
  const { userId } = useSession()
  return useQuery(depositOptions(userId))
}

/** The states of the member's requests, asked for while an announced payment has one. */
export function useRequests(wanted: boolean) {
  const { userId } = useSession()
  return useQuery({ ...requestStatesOptions(userId), enabled: wanted })
}

/** The state of an announced payment, as the member sees it. */
export type Standing =
  | { kind: 'waiting' | 'confirmed' | 'expired' | 'person' | 'rejected' }
  | { kind: 'seen'; confirmations: number; needed: number }

export function standingOf(
  { state, amount, request }: Pick<Intent, 'state' | 'amount' | 'request'>,
  seen: Deposit['seen'],
  requests: readonly Request[],
): Standing {
  if (state === 'paid') {
    const st = requests.find(({ id }) => id === request)?.st
    return { kind: st === 'Pending' ? 'person' : st === 'Rejected' ? 'rejected' : 'confirmed' }
  }
  // The cents are unique: a payment of this amount is the announced one.
  const found = seen.find((row) => row.amount === amount)
  if (found) return { kind: 'seen', confirmations: found.confirmations, needed: found.needed }
  return { kind: state === 'open' ? 'waiting' : 'expired' }
}

/** The remaining time as 1:59:07 or 12:30; empty once it is over. */
export function countdown(leftMs: number): string {
  const left = Math.floor(leftMs / 1000)
  if (left <= 0) return ''
  const [hours, minutes, seconds] = [left / 3600, (left / 60) % 60, left % 60].map(Math.floor)
  const two = (n = 0) => String(n).padStart(2, '0')
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`
}

/** An amount as the paying app writes it, in every language. */
export const inUsdt = (amount: string): string => `${amount} USDT`
