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

/**
 * Sends a form. While a call is in flight another one is not sent: `submit` then answers nothing.
 * A retry of the same values after no answer goes under the same key, so that it is not done twice.
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
    if (attempt.current?.values !== text) attempt.current = { key: newKey(), values: text }
    inFlight.current = true
    setBusy(true)
    try {
      const answer = await call(values, attempt.current.key)
      attempt.current = null
      return answer
    } catch (error) {
      if (isDefinite(error)) attempt.current = null
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
