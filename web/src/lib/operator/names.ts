import type { ConsoleStrings } from '@/lib/strings/console.ts'
import { named } from '@/lib/strings/named.ts'

type Texts = Pick<ConsoleStrings['console'], 'codes' | 'money'>

/** The account class INCOME of binaryIncome is shown as Matching Income. */
export function partName(kind: string, of: string, { codes, money }: Texts): string {
  const name = named(money.classes, kind)
  const whose = named(codes, of)
  if (of === '') return name
  // The name of a wallet already names its class.
  return kind === 'FUND' || kind === 'INCOME' ? whose : `${name} · ${whose}`
}

/** L:FUND:FUNDS:100007 is shown as the member's Robot Fund; a position is shown with its id. */
export function accountName(account: string, t: Texts): string {
  const [, kind = '', of = '', , position] = account.split(':')
  return [partName(kind, of, t), position].filter(Boolean).join(' · ')
}
