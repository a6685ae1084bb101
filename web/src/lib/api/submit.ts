import { useRef, useState } from 'react'
import { Refusal } from './answer.ts'
import { newKey } from './client.ts'

/** Under this key the server does a thing once, however often it is asked. */
interface Attempt {
  key: string
  values: string
}

/** An answer that says for certain what happened. Anything else may or may not have been done. */
const isDefinite = (error: unknown) =>
  error instanceof Refusal && error.status < 500 && error.status !== 429

const UNDECIDED = 'bifolia.undecided'
const SECRET = /password|otp|pin|code/i

/** What was sent from where, without secrets, in few letters. */
function sumOf(values: unknown): string {
  const text = JSON.stringify([location.pathname, values], (name, value: unknown) =>
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

/** The keys of what was sent and not answered: they outlive the screen, and leave with the log-out. */
function undecided(): Record<string, string> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(UNDECIDED) ?? '{}')
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, string>) : {}
  } catch {
    return {}
  }
}

function keep(change: (kept: Record<string, string>) => void) {
  const kept = undecided()
  change(kept)
  try {
    if (Object.keys(kept).length === 0) sessionStorage.removeItem(UNDECIDED)
    else sessionStorage.setItem(UNDECIDED, JSON.stringify(kept))
  } catch {
    // A browser that keeps nothing forgets the key with the screen.
  }
}

/**
 * Sends a form. While a call is in flight another one is not sent: `submit` then answers nothing.
 * A retry of the same values after no answer goes under the same key, so that it is not done twice,
 * even when the screen was left or loaded anew in between.
 */
export function useSubmit<Values, Answer>(
  call: (values: Values, key: string) => Promise<Answer>,
): { busy: boolean; submit: (values: Values) => Promise<Answer | undefined> } {
  const [busy, setBusy] = useState(false)
  const inFlight = useRef(false)
  const attempt = useRef<Attempt | null>(null)

  const submit = async (values: Values): Promise<Answer | undefined> => {
    if (inFlight.current) return undefined
    const text = JSON.stringify(values)
    const sum = sumOf(values)
    if (attempt.current?.values !== text) {
      attempt.current = { key: undecided()[sum] ?? newKey(), values: text }
    }
    const { key } = attempt.current
    const decided = () => {
      attempt.current = null
      keep((kept) => delete kept[sum])
    }
    keep((kept) => {
      kept[sum] = key
    })
    inFlight.current = true
    setBusy(true)
    try {
      const answer = await call(values, key)
      decided()
      return answer
    } catch (error) {
      if (isDefinite(error)) decided()
      throw error
    } finally {
      inFlight.current = false
      setBusy(false)
    }
  }
  return { busy, submit }
}

/** The header of a call that is sent under a given key. */
export const underKey = (key: string) => ({ headers: { 'Idempotency-Key': key } })
