import type { MemberStrings } from '@/lib/strings/member.ts'

/** What can be withdrawn from: the six incomes, and deposits that were not used. */
export type Wallet = keyof MemberStrings['withdrawal']['wallets']

export const WALLETS: readonly Wallet[] = [
  'LevelIncome',
  'binaryIncome',
  'ForexIncome',
  'CryptoIncome',
  'royalty_income',
  'salaryrankreward',
  'FundBalance',
]

/** Deposits come back whole: no minimum, no charge. */
export const isFree = (wallet: string) => wallet === 'FundBalance'
