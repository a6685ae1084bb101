import { templatesFrom } from '@/components/console/Templates.tsx'
import type { ConsoleStrings } from '@/lib/strings/console.ts'

/** Frequent replies. Members get them by mail, which is in English. */
const TEXTS: Record<keyof ConsoleStrings['tickets']['templates'], string> = {
  received:
    'We have received your complaint and are looking into it. We settle it within 30 days from when you made it, and write to you here and by e-mail.',
  details:
    'Please help us to find it: tell us the day, the amount and, if there is one, the number of the transaction. Open another ticket for that and name this one.',
  deposit:
    'We are checking your deposit. It is in your fund as soon as the payment is confirmed; you see how far it is in the list of your fund requests.',
  wait: 'After a change of the wallet address nothing is paid out for 48 hours, for your safety. Your withdrawal leaves after that; there is nothing for you to do.',
  hold: "A day's returns are on Hold until the settled profit covers the whole day; then all of them are released together. Profit is not guaranteed.",
  passwords:
    'We never ask for a password. If you have forgotten yours, use Forgot Password at the sign-in; the transaction password is changed in the menu while you are signed in.',
  found: 'We have looked into it. This is what we found, and what we have done about it:',
}

export const templatesOf = ({ tickets: t }: ConsoleStrings) => templatesFrom(TEXTS, t.templates)
