import type { ConsoleStrings } from '@/lib/strings/console.ts'

/** What operators often answer. Members get these by mail, which is in English. */
const TEXTS: Record<keyof ConsoleStrings['tickets']['templates'], string> = {
  received:
    'We have received your complaint and are looking into it. We will settle it within 30 days of the day you made it, and write to you here and by email.',
  details:
    'Please tell us the day, the amount and, if there is one, the transaction number. Open another ticket for this and mention the number of this one.',
  deposit:
    'We are checking your deposit. It will be in your fund as soon as the payment is confirmed. You can follow it in the list of your fund requests.',
  wait: 'For your safety, withdrawals pause for 48 hours after you change your wallet address. We will pay yours after that. You do not need to do anything.',
  hold: "A day's returns are on Hold until the settled profit covers the whole day. They are then released together. Profit is not guaranteed.",
  passwords:
    'We never ask for your password. If you have forgotten it, use Forgot password on the login page. You can change your transaction password in the menu while you are signed in.',
  found: 'We have looked into this. Here is what we found and what we have done:',
}

/** Why a fund request or a withdrawal is turned down: one line, told to the member by mail. */
const FUND: Record<keyof ConsoleStrings['reasons']['fund'], string> = {
  missing: 'We have not received a payment with this transaction number.',
  amount: 'We received a different amount. Please request the amount that you sent.',
  number: 'This transaction number belongs to another payment.',
  account: 'The payment did not go to one of our accounts.',
}

const WITHDRAWAL: Record<keyof ConsoleStrings['reasons']['withdrawal'], string> = {
  address:
    'We cannot pay to this address. Check your E-Currency Details and request the withdrawal again.',
  identity: 'Your profile is incomplete. Complete it and request the withdrawal again.',
  stranger: 'We need to review your account first. Open a ticket, and we will help you.',
  asked: 'Rejected at your request.',
}

const choices = <Name extends string>(texts: Record<Name, string>, labels: Record<Name, string>) =>
  (Object.keys(texts) as Name[]).map((name) => ({ label: labels[name], text: texts[name] }))

export const fundReasons = ({ reasons }: ConsoleStrings) => choices(FUND, reasons.fund)

export const withdrawalReasons = ({ reasons }: ConsoleStrings) =>
  choices(WITHDRAWAL, reasons.withdrawal)

export const templatesOf = ({ tickets: t }: ConsoleStrings) =>
  Object.entries(TEXTS).map(([name, text]) => ({
    label: t.templates[name as keyof typeof TEXTS],
    text,
  }))
