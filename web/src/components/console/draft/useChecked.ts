import { useEffect, useState } from 'react'

/** The pause after the last key before the server checks the draft. */
const PAUSE_MS = 400

/**
 * Has the server check a draft while the operator types; null is not checked. `ask` must be a
 * stable function. The result for an earlier draft stays visible until the next one, and `fresh`
 * tells whether it belongs to the current draft.
 */
export function useChecked<Draft, Check>(
  draft: Draft | null,
  ask: (draft: Draft) => Promise<Check>,
): { check: Check | null; fresh: boolean; error: unknown; retry: () => void } {
  const [result, setResult] = useState<{ draft: Draft; attempt: number; check: Check } | null>(null)
  const [attempt, setAttempt] = useState(0)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    if (draft === null) return
    let wanted = true
    const timer = setTimeout(() => {
      ask(draft)
        .then((check) => {
          if (!wanted) return
          setResult({ draft, attempt, check })
          setError(null)
        })
        .catch((thrown: unknown) => wanted && setError(thrown))
    }, PAUSE_MS)
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [draft, ask, attempt])
  const fresh = result !== null && result.draft === draft && result.attempt === attempt
  return { check: result?.check ?? null, fresh, error, retry: () => setAttempt(attempt + 1) }
}
