import { useEffect, useState } from 'react'

/** So long after the last key the server is asked what it thinks of a draft. */
const PAUSE_MS = 400

/**
 * Asks what the server says about a draft while somebody types; nothing is asked about null. `ask`
 * must stay the same function. What was said of an earlier draft stays in sight until the next
 * answer, and `fresh` tells whether it is about this one.
 */
export function useChecked<Draft, Check>(
  draft: Draft | null,
  ask: (draft: Draft) => Promise<Check>,
): { check: Check | null; fresh: boolean; error: unknown; retry: () => void } {
  const [said, setSaid] = useState<{ draft: Draft; attempt: number; check: Check } | null>(null)
  const [attempt, setAttempt] = useState(0)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    if (draft === null) return
    let wanted = true
    const timer = setTimeout(() => {
      ask(draft)
        .then((check) => {
          if (!wanted) return
          setSaid({ draft, attempt, check })
          setError(null)
        })
        .catch((thrown: unknown) => wanted && setError(thrown))
    }, PAUSE_MS)
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [draft, ask, attempt])
  const fresh = said !== null && said.draft === draft && said.attempt === attempt
  return { check: said?.check ?? null, fresh, error, retry: () => setAttempt(attempt + 1) }
}
