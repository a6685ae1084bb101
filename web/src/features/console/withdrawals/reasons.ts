import { templatesFrom } from '@/components/console/Templates.tsx'
import type { ConsoleStrings } from '@/lib/strings/console.ts'

/**
 * Frequent reasons to reject a withdrawal, one line each. Members get them by mail, which is in
 * English.
 */
const WITHDRAWAL: Record<keyof ConsoleStrings['reasons']['withdrawal'], string> = {
  address: 'Nothing can be paid to this address: check your E-Currency Details and ask again.',
  identity: 'Details are missing in your profile: complete it and ask again.',
  stranger: 'Your account has to be looked at first: open a ticket, and we will help you.',
  asked: 'Rejected as you asked.',
}

export const rejectionReasons = ({ reasons }: ConsoleStrings) =>
  templatesFrom(WITHDRAWAL, reasons.withdrawal)
