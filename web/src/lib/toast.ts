import { toast } from 'react-hot-toast/headless'
import { term } from './strings/speech.ts'

/**
 * Toasts: top-center, 2,000 ms for a success and 4,000 ms for everything else. All toasts come from
 * here: the library's own look injects a style sheet, which the policy forbids, so only its
 * headless part is used (components/Toasts.tsx renders it). The server's sentences are shown in the
 * user's language. The same text is shown only once: a repetition restarts its time.
 */
const SUCCESS_MS = 2_000
const OTHER_MS = 4_000

/** The toast that last showed a text. */
const last = new Map<string, string>()
let count = 0

/**
 * Replaces the toast with the same text. It needs a new id: the timer of the old one may already be
 * running out and would end the new one.
 */
const lasting = (text: string, duration: number) => {
  const before = last.get(text)
  if (before !== undefined) toast.remove(before)
  count += 1
  const id = String(count)
  last.set(text, id)
  return { id, duration }
}

export const say = {
  success: (text: string) => toast.success(term(text), lasting(text, SUCCESS_MS)),
  error: (text: string) => toast.error(term(text), lasting(text, OTHER_MS)),
  info: (text: string) => toast(term(text), lasting(text, OTHER_MS)),
  /** Closes a toast whose text is no longer true. */
  nevermind: (said: string) => toast.dismiss(said),
}
