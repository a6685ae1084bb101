import { useRef, useState } from 'react'
import { useStrings } from '@/lib/strings/index.ts'
import { say } from '@/lib/toast.ts'

/**
 * Code that comes when somebody presses for it. If it does not come, that is said and the next press
 * tries anew: React's own lazy would put the error page in the place of the whole screen, and would
 * remember the failure.
 */
export function usePart<Part extends object>(load: () => Promise<Part>) {
  const { error: t } = useStrings()
  const [part, setPart] = useState<Part | null>(null)
  const coming = useRef(false)
  const fetchPart = async () => {
    if (part || coming.current) return
    coming.current = true
    try {
      const loaded = await load()
      setPart(() => loaded)
    } catch {
      say.error(t.part)
    } finally {
      coming.current = false
    }
  }
  return { part, fetchPart }
}
