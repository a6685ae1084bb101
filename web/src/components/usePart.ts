import { useRef, useState } from 'react'
import { useStrings } from '@/lib/strings/index.ts'

/** Where toasts are shown their code is loaded; the landing page does without it. */
const toastError = async (text: string) => {
  const { toast } = await import('@/lib/toast.ts')
  toast.error(text)
}

interface Options {
  /** The caller shows the failure itself. */
  quiet?: boolean
}

/**
 * Loads code on demand. A failure is shown and the next press tries again: React.lazy would replace
 * the whole screen by the error page and remember the failure.
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
      if (!quiet) await toastError(t.part)
    } finally {
      coming.current = false
    }
  }
  return { part, failed, fetchPart }
}
