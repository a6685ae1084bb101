import { templatesFrom } from '@/components/console/Templates.tsx'
import type { ConsoleStrings } from '@/lib/strings/console.ts'

/**
 * Frequent reasons to reject a fund request, one line each. Members get them by mail, which is in
 * English.
 */
const FUND: Record<keyof ConsoleStrings['reasons']['fund'], string> = {
  missing: 'We have not received a payment with this transaction number.',
  amount: 'We received a different amount. Please request the amount that you sent.',
  number: 'This transaction number belongs to another payment.',
  account: 'The payment did not go to one of our accounts.',
}

export const rejectionReasons = ({ reasons }: ConsoleStrings) => templatesFrom(FUND, reasons.fund)
