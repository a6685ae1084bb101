import { toast } from 'react-hot-toast/headless'
import { term } from './strings/speech.ts'

/**
 * Messages that pass: top-center, success for 2,000 ms, everything else for 4,000 ms. Always from
 * here: the library's own look injects a style sheet, which the policy forbids, so only its
 * headless part is used (components/Toasts.tsx draws it). The server's answers are told in the
 * reader's language. One text is shown once: said again, it starts anew.
 */
const SUCCESS_MS = 2_000
const OTHER_MS = 4_000

/** Which message last said a text. */
const last = new Map<string, string>()
let count = 0

/**
 * Takes the place of the message that said the same. It is another one, because the end of that
 * one may be on its way already and would be taken for this one's.
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
  /** What was said is true no longer. */
  nevermind: (said: string) => toast.dismiss(said),
}
