import type { Dashboard } from './queries/dashboard.ts'
import type { MemberStrings } from './strings/member.ts'

const isKnown = (fund: string, names: MemberStrings['fundNames']): fund is keyof typeof names =>
  Object.hasOwn(names, fund)

/** FUNDS is read as Robot Fund; what is no fund stays as it is. */
export const fundName = (
  fund: string | undefined,
  { fundNames }: MemberStrings,
): string | undefined => (fund !== undefined && isKnown(fund, fundNames) ? fundNames[fund] : fund)

export type Fund = keyof MemberStrings['fundNames']

/** The three funds, to choose from. */
export const fundOptions = ({ fundNames }: MemberStrings): { value: string; label: string }[] =>
  Object.entries(fundNames).map(([value, label]) => ({ value, label }))

const BALANCES = {
  FUNDS: 'Net_AdminFund',
  FOREXFUNDS: 'Net_AdminFund_Forex',
  CRYPTOFUNDS: 'Net_AdminFund_Crypto',
} as const satisfies Record<Fund, keyof Dashboard>

const isFund = (fund: string): fund is Fund => Object.hasOwn(BALANCES, fund)

/** What a fund holds; nothing for what is no fund. */
export const balanceOf = (row: Dashboard, fund: string): string | undefined =>
  isFund(fund) ? row[BALANCES[fund]] : undefined
