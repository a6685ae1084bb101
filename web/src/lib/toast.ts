import { toast } from 'react-hot-toast/headless'
import { term } from './strings/speech.ts'

/**
 * Messages that pass: top-center, success for 2,000 ms, everything else for 4,000 ms. Always from
 * here: the library's own look injects a style sheet, which the policy forbids, so only its
 * headless part is used (components/Toasts.tsx draws it). The server's answers are told in the
 * reader's language.
 */
const SUCCESS_MS = 2_000
const OTHER_MS = 4_000

export const say = {
  success: (text: string) => toast.success(term(text), { duration: SUCCESS_MS }),
  error: (text: string) => toast.error(term(text), { duration: OTHER_MS }),
  info: (text: string) => toast(term(text), { duration: OTHER_MS }),
}
