import { useRef, useState } from 'react'
import { Refusal } from './answer.ts'
import { newKey } from './client.ts'
import { KEY_USED } from './problem.ts'
import { session, UNANSWERED_KEY } from './session.ts'

/** The server processes a request once for each key. */
interface Attempt {
  key: string
  values: string
}

/** An answer that is final. After any other the request may or may not have been processed. */
const isDefinite = (error: unknown) =>
  error instanceof Refusal && error.status < 500 && error.status !== 429

/**
 * Whether an answer says that the earlier, unanswered attempt was processed. The screen may send
 * something else by now: a member who was activated meanwhile is upgraded.
 */
export const wasProcessed = (error: unknown): boolean =>
  error instanceof Refusal && error.code === KEY_USED

const SECRET = /password|otp|pin|code/i

/** A short hash of the path, the user and the values, without secrets. */
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
 * The keys of unanswered requests, by their hash. Like drafts they survive a reload and the end of
 * the session, and are deleted at the log-out.
 */
function unansweredKeys(): Record<string, string> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(UNANSWERED_KEY) ?? '{}')
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, string>) : {}
  } catch {
    return {}
  }
}

function changeKeys(change: (kept: Record<string, string>) => void) {
  const kept = unansweredKeys()
  change(kept)
  try {
    if (Object.keys(kept).length === 0) sessionStorage.removeItem(UNANSWERED_KEY)
    else sessionStorage.setItem(UNANSWERED_KEY, JSON.stringify(kept))
  } catch {
    // If the browser blocks storage, the key is lost with the screen.
  }
}

/** Whether the same request was sent before and got no answer. */
export const isUnanswered = (values: unknown): boolean => sumOf(values) in unansweredKeys()

/** Drops the key of an unanswered request: the next one is a new request. */
export const forgetUnanswered = (values: unknown): void =>
  changeKeys((kept) => delete kept[sumOf(values)])

interface Options<Answer> {
  /** Whether an answer means that the request was processed; by default every answer does. */
  isDone?: (answer: Answer) => boolean
  /** The request may be processed twice, so it needs no key. */
  keyless?: boolean
}

/**
 * Sends a form. `submit` does nothing while a call is in flight. A retry of the same values after
 * no answer uses the same key, even after a reload, so that the server processes it once. After an
 * unanswered attempt, a refusal of the retry does not tell whether the first was processed: only an
 * answer that says so ends the attempt.
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
    const before = unansweredKeys()[sum]
    if (attempt.current?.values !== text) {
      attempt.current = { key: before ?? newKey(), values: text }
    }
    const { key } = attempt.current
    const forgetKey = () => {
      attempt.current = null
      changeKeys((kept) => delete kept[sum])
    }
    changeKeys((kept) => {
      kept[sum] = key
    })
    try {
      const answer = await call(values, key)
      if (before === undefined || isDone(answer)) forgetKey()
      return answer
    } catch (error) {
      if (before === undefined ? isDefinite(error) : wasProcessed(error)) forgetKey()
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

/** The header that sends a call under the given key. */
export const underKey = (key: string) => ({ headers: { 'Idempotency-Key': key } })
