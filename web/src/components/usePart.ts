import { useRef, useState } from 'react'
import { useStrings } from '@/lib/strings/index.ts'
import { say } from '@/lib/toast.ts'

interface Options {
  /** Who asks says itself, in its place, that the code did not come. */
  quiet?: boolean
}

/**
 * Code that comes when it is asked for. If it does not come, that is said and the next press tries
 * anew: React's own lazy would put the error page in the place of the whole screen, and would
 * remember the failure.
 */
export function usePart<Part extends object>(
  load: () => Promise<Part>,
  { quiet = false }: Options = {},
) {
  const { error: t } = useStrings()
  const [part, setPart] = useState<Part | null>(null)
  const [failed, setFailed] = useState(false)
  const coming = useRef(false)
  const fetchPart = async () => {
    if (part || coming.current) return
    coming.current = true
    setFailed(false)
    try {
      const loaded = await load()
      setPart(() => loaded)
    } catch {
      setFailed(true)
      if (!quiet) say.error(t.part)
    } finally {
      coming.current = false
    }
  }
  return { part, failed, fetchPart }
}
