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

const lasting = (text: string, duration: number) => ({ id: text, duration })

export const say = {
  success: (text: string) => toast.success(term(text), lasting(text, SUCCESS_MS)),
  error: (text: string) => toast.error(term(text), lasting(text, OTHER_MS)),
  info: (text: string) => toast(term(text), lasting(text, OTHER_MS)),
  /** What was said is true no longer. */
  nevermind: (said: string) => toast.dismiss(said),
}
