import { templatesFrom } from '@/components/console/Templates.tsx'
import type { ConsoleStrings } from '@/lib/strings/console.ts'

/**
 * Frequent reasons to reject a withdrawal, one line each. Members get them by mail, which is in
 * English.
 */
const WITHDRAWAL: Record<keyof ConsoleStrings['reasons']['withdrawal'], string> = {
  address:
    'We cannot pay to this address. Check your E-Currency Details and request the withdrawal again.',
  identity: 'Your profile is incomplete. Complete it and request the withdrawal again.',
  stranger: 'We need to review your account first. Open a ticket, and we will help you.',
  asked: 'Rejected at your request.',
}

export const rejectionReasons = ({ reasons }: ConsoleStrings) =>
  templatesFrom(WITHDRAWAL, reasons.withdrawal)
