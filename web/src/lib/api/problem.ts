import { term } from '../strings/speech.ts'
import type { components } from './schema.d.ts'

/** What every failed call answers (RFC 9457). */
export type Problem = components['schemas']['Problem']

/** How a problem says that there is no session, or none any more. */
export const PLEASE_LOGIN = 'Please login to access this resource'

/** How a problem says that a temporary password is to be changed before anything else. */
export const CHANGE_PASSWORD_FIRST = 'Change your temporary password first.'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/**
 * Whether this is a problem of ours. What stands between may answer too: a proxy's error page is
 * none.
 */
export function isProblem(value: unknown): value is Problem {
  return (
    isRecord(value) &&
    typeof value.status === 'number' &&
    typeof value.code === 'string' &&
    typeof value.showableMessage === 'string'
  )
}

/** What to tell people about anything a call failed with; `otherwise` where no problem says it. */
export function messageOf(error: unknown, otherwise: string): string {
  return isProblem(error) && error.showableMessage !== '' ? term(error.showableMessage) : otherwise
}

/** What is wrong with each field, by the field's name; the first finding of each. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  const errors = isProblem(error) ? (error.errors ?? []) : []
  return Object.fromEntries(errors.toReversed().map(({ field, message }) => [field, message]))
}
