import type { Dashboard } from './queries/dashboard.ts'
import type { MemberStrings } from './strings/member.ts'

const isKnown = (fund: string, names: MemberStrings['fundNames']): fund is keyof typeof names =>
  Object.hasOwn(names, fund)

/** FUNDS is shown as Robot Fund; the name of anything but a fund is not changed. */
export const fundName = (
  fund: string | undefined,
  { fundNames }: MemberStrings,
): string | undefined => (fund !== undefined && isKnown(fund, fundNames) ? fundNames[fund] : fund)

/** The name of a trading line; any other name is not changed. */
export const lineName = (line: string, { notices: { lines } }: MemberStrings): string =>
  line === 'FOREX' || line === 'CRYPTO' ? lines[line] : line

export type Fund = keyof MemberStrings['fundNames']

/** The three funds, for a select. */
export const fundOptions = ({ fundNames }: MemberStrings): { value: string; label: string }[] =>
  Object.entries(fundNames).map(([value, label]) => ({ value, label }))

const BALANCES = {
  FUNDS: 'Net_AdminFund',
  FOREXFUNDS: 'Net_AdminFund_Forex',
  CRYPTOFUNDS: 'Net_AdminFund_Crypto',
} as const satisfies Record<Fund, keyof Dashboard>

const isFund = (fund: string): fund is Fund => Object.hasOwn(BALANCES, fund)

/** The balance of a fund; undefined if the name is not a fund's. */
export const balanceOf = (row: Dashboard, fund: string): string | undefined =>
  isFund(fund) ? row[BALANCES[fund]] : undefined
