import { term } from '../strings/serverText.ts'
import type { components } from './schema.d.ts'

/** The body of every failed call (RFC 9457). */
export type Problem = components['schemas']['Problem']

/** The code of a problem: there is no session, or it has ended. */
export const SESSION_REQUIRED = 'session.required'

/** The code of a problem: the temporary password must be changed first. */
export const PASSWORD_TEMPORARY = 'session.password_temporary'

/** The code of a problem: the operator must confirm their identity again. */
export const PROOF_REQUIRED = 'session.proof_required'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Whether the body is a problem of this server. A proxy's error page is none. */
export function isProblem(value: unknown): value is Problem {
  return (
    isRecord(value) &&
    typeof value.status === 'number' &&
    typeof value.code === 'string' &&
    typeof value.showableMessage === 'string'
  )
}

/** The text to show for the error of a call: the problem's, or `otherwise` if it has none. */
export function messageOf(error: unknown, otherwise: string): string {
  return isProblem(error) && error.showableMessage !== '' ? term(error.showableMessage) : otherwise
}

/** The first error of each field, by the field's name. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  const errors = isProblem(error) ? (error.errors ?? []) : []
  return Object.fromEntries(errors.toReversed().map(({ field, message }) => [field, message]))
}
