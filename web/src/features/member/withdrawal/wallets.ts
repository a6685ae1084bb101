import type { MemberStrings } from '@/lib/strings/member.ts'

/** The wallets of withdrawals: the six incomes, and unused deposits. */
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

/** Deposits are withdrawn whole: without a minimum and without a fee. */
export const isFree = (wallet: string) => wallet === 'FundBalance'
