import { useRef, useState } from 'react'
import { Refusal } from './answer.ts'
import { newKey } from './client.ts'
import { session, UNDECIDED_KEY } from './session.ts'

/** Under this key the server does a thing once, however often it is asked. */
interface Attempt {
  key: string
  values: string
}

/** An answer that says for certain what happened. Anything else may or may not have been done. */
const isDefinite = (error: unknown) =>
  error instanceof Refusal && error.status < 500 && error.status !== 429

/** What the server says of a key that it has done something else under. */
export const KEY_USED = 'This idempotency key was used before with another request.'

/**
 * Whether an answer says that the try before, which was not answered, was done. The screen may ask for
 * something else by now: who was activated meanwhile is upgraded.
 */
export const wasDone = (error: unknown): boolean =>
  error instanceof Refusal && error.message === KEY_USED

const SECRET = /password|otp|pin|code/i

/** What was sent from where and by whom, without secrets, in few letters. */
function sumOf(values: unknown): string {
  const { userId } = session.get()
  const text = JSON.stringify([location.pathname, userId, values], (name, value: unknown) =>
    SECRET.test(name) ? undefined : value,
  )
  let [one, other] = [0x811c9dc5, 5381]
  for (const unit of text) {
    const code = unit.codePointAt(0) ?? 0
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other, 33) ^ code
  }
  return (one >>> 0).toString(36) + (other >>> 0).toString(36)
}

/**
 * The keys of what was sent and not answered: they outlive the screen and the session, as drafts do,
 * and leave with the log-out.
 */
function undecided(): Record<string, string> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(UNDECIDED_KEY) ?? '{}')
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, string>) : {}
  } catch {
    return {}
  }
}

function keep(change: (kept: Record<string, string>) => void) {
  const kept = undecided()
  change(kept)
  try {
    if (Object.keys(kept).length === 0) sessionStorage.removeItem(UNDECIDED_KEY)
    else sessionStorage.setItem(UNDECIDED_KEY, JSON.stringify(kept))
  } catch {
    // A browser that keeps nothing forgets the key with the screen.
  }
}

/** Whether this was sent before and not answered, so that nobody knows what became of it. */
export const isUnanswered = (values: unknown): boolean => sumOf(values) in undecided()

/** It is not wanted any more: the same again is another one. */
export const forgetUnanswered = (values: unknown): void =>
  keep((kept) => delete kept[sumOf(values)])

interface Options<Answer> {
  /** Whether an answer says that it is done; any does unless told. */
  isDone?: (answer: Answer) => boolean
  /** Nothing is done by it that must not be done twice: it has no key. */
  keyless?: boolean
}

/**
 * Sends a form. While a call is in flight another one is not sent: `submit` then answers nothing.
 * A retry of the same values after no answer goes under the same key, so that it is not done twice,
 * even when the screen was left or loaded anew in between. Once something was not answered, a
 * refusal of the retry does not say what became of it: only its being done settles that.
 */
export function useSubmit<Values, Answer>(
  call: (values: Values, key: string) => Promise<Answer>,
  { isDone = () => true, keyless = false }: Options<Answer> = {},
): { busy: boolean; submit: (values: Values) => Promise<Answer | undefined> } {
  const [busy, setBusy] = useState(false)
  const inFlight = useRef(false)
  const attempt = useRef<Attempt | null>(null)

  const underOneKey = async (values: Values): Promise<Answer> => {
    const text = JSON.stringify(values)
    const sum = sumOf(values)
    const before = undecided()[sum]
    if (attempt.current?.values !== text) {
      attempt.current = { key: before ?? newKey(), values: text }
    }
    const { key } = attempt.current
    const decided = () => {
      attempt.current = null
      keep((kept) => delete kept[sum])
    }
    keep((kept) => {
      kept[sum] = key
    })
    try {
      const answer = await call(values, key)
      if (before === undefined || isDone(answer)) decided()
      return answer
    } catch (error) {
      if (before === undefined ? isDefinite(error) : wasDone(error)) decided()
      throw error
    }
  }
  const submit = async (values: Values): Promise<Answer | undefined> => {
    if (inFlight.current) return undefined
    inFlight.current = true
    setBusy(true)
    try {
      return await (keyless ? call(values, newKey()) : underOneKey(values))
    } finally {
      inFlight.current = false
      setBusy(false)
    }
  }
  return { busy, submit }
}

/** The header of a call that is sent under a given key. */
export const underKey = (key: string) => ({ headers: { 'Idempotency-Key': key } })
