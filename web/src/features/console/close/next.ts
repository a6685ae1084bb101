import type { components } from '@/lib/api/schema.d.ts'

type Next = Pick<components['schemas']['NextDay'], 'digest' | 'due' | 'scheduled'>

/** Whether an operator has proposed the day: the schedule only reminds of it. */
export const isProposed = (next: Next) => next.digest !== '' && !next.scheduled

/**
 * What can be done with a preview of the day: it is committed if another operator has proposed
 * this very result, and else proposed. Nothing before it may be closed.
 */
export function stepOf(next: Next, digest: string): 'propose' | 'commit' | undefined {
  if (!next.due) return undefined
  return isProposed(next) && next.digest === digest ? 'commit' : 'propose'
}
