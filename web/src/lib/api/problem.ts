import { term } from '../strings/speech.ts'
import type { components } from './schema.d.ts'

/** What every failed call answers (RFC 9457). */
export type Problem = components['schemas']['Problem']

/** The code of a problem: there is no session, or none any more. */
export const SESSION_REQUIRED = 'session.required'

/** The code of a problem: a temporary password is to be changed before anything else. */
export const PASSWORD_TEMPORARY = 'session.password_temporary'

/** The code of a problem: the operator has to prove again to be there. */
export const PROOF_REQUIRED = 'session.proof_required'

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
