import { toast as hotToast } from 'react-hot-toast/headless'

/**
 * Toasts: top-center, 2,000 ms for a success and 4,000 ms for everything else. All toasts come from
 * here: the library's own look injects a style sheet, which the policy forbids, so only its
 * headless part is used (components/Toasts.tsx renders it). The same text is shown only once: a
 * repetition restarts its time.
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
const optionsFor = (text: string, duration: number) => {
  const before = last.get(text)
  if (before !== undefined) hotToast.remove(before)
  count += 1
  const id = String(count)
  last.set(text, id)
  return { id, duration }
}

export const toast = {
  success: (text: string) => hotToast.success(text, optionsFor(text, SUCCESS_MS)),
  error: (text: string) => hotToast.error(text, optionsFor(text, OTHER_MS)),
  info: (text: string) => hotToast(text, optionsFor(text, OTHER_MS)),
  /** Closes a toast whose text is no longer true. */
  dismiss: (id: string) => hotToast.dismiss(id),
}
