import { templatesFrom } from '@/components/console/Templates.tsx'
import type { ConsoleStrings } from '@/lib/strings/console.ts'

/** Frequent replies. Members get them by mail, which is in English. */
const TEXTS: Record<keyof ConsoleStrings['tickets']['templates'], string> = {
  received:
    'We have received your complaint and are looking into it. We will settle it within 30 days of the day you made it, and write to you here and by email.',
  details:
    'Please tell us the day, the amount and, if there is one, the transaction number. You can reply in this ticket, under Support.',
  deposit:
    'We are checking your deposit. It will be in your fund as soon as the payment is confirmed. You can follow it in the list of your fund requests.',
  wait: 'For your safety, withdrawals pause for 48 hours after you change your wallet address. We will pay yours after that. You do not need to do anything.',
  hold: "A day's returns are on Hold until the settled profit covers the whole day. They are then released together. Profit is not guaranteed.",
  passwords:
    'We never ask for your password. If you have forgotten it, use Forgot password on the login page. You can change your transaction password in the menu while you are signed in.',
  found: 'We have looked into this. Here is what we found and what we have done:',
}

export const templatesOf = ({ tickets: t }: ConsoleStrings) => templatesFrom(TEXTS, t.templates)
