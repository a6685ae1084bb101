import type { components } from '@/lib/api/schema.d.ts'

type Next = Pick<components['schemas']['NextDay'], 'digest' | 'due' | 'scheduled'>

/** Whether an operator has proposed the day; the scheduler's proposal is only a reminder. */
export const isProposed = (next: Next) => next.digest !== '' && !next.scheduled

/**
 * The next step for a preview: commit if another operator has proposed this very result, and
 * propose otherwise. Days close in order.
 */
export function stepOf(next: Next, digest: string): 'propose' | 'commit' | undefined {
  if (!next.due) return undefined
  return isProposed(next) && next.digest === digest ? 'commit' : 'propose'
}
