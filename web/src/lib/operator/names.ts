import type { ConsoleStrings } from '@/lib/strings/console.ts'
import { named } from '@/lib/strings/named.ts'

type Texts = Pick<ConsoleStrings['console'], 'codes' | 'money'>

/** What the ledger calls INCOME of binaryIncome is read as Matching Income. */
export function partName(kind: string, of: string, { codes, money }: Texts): string {
  const name = named(money.classes, kind)
  const whose = named(codes, of)
  if (of === '') return name
  // A wallet's name says already what it is.
  return kind === 'FUND' || kind === 'INCOME' ? whose : `${name} · ${whose}`
}

/** L:FUND:FUNDS:100007 is read as the member's Robot Fund; a position keeps its own name. */
export function accountName(account: string, t: Texts): string {
  const [, kind = '', of = '', , position] = account.split(':')
  return [partName(kind, of, t), position].filter(Boolean).join(' · ')
}
