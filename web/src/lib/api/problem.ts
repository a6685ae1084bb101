import { serverText } from '../strings/serverText.ts'
import type { components } from './schema.d.ts'

/** The body of every failed call (RFC 9457). */
export type Problem = components['schemas']['Problem']

/** The code of a problem: there is no session, or it has ended. */
export const SESSION_REQUIRED = 'session.required'

/** The code of a problem: the temporary password must be changed first. */
export const PASSWORD_TEMPORARY = 'session.password_temporary'

/** The code of a problem: the operator must confirm their identity again. */
export const PROOF_REQUIRED = 'session.proof_required'

/** The code of a problem: the idempotency key was used for another request. */
export const KEY_USED = 'request.key_used'

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

/** The text of a problem in the user's language: those of its fields, if it is about fields. */
export function messageOf(problem: Problem): string {
  const texts = (problem.errors ?? []).map((field) => serverText(field.message, field))
  if (texts.length > 0) return [...new Set(texts)].join('; ')
  return serverText(problem.showableMessage, problem)
}

/** The first error of each field, by the field's name, in the server's order. */
export function fieldErrorsOf(problem: Problem): Record<string, string> {
  const errors = new Map<string, string>()
  for (const error of problem.errors ?? []) {
    if (!errors.has(error.field)) errors.set(error.field, serverText(error.message, error))
  }
  return Object.fromEntries(errors)
}
