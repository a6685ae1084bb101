import type { MemberPath } from '@/lib/paths.ts'
import type { Dashboard } from '@/lib/queries/dashboard.ts'
import type { MemberStrings } from '@/lib/strings/member.ts'

interface IncomeKind {
  text: keyof MemberStrings['dashboard'] & string
  /** The total in the summary. */
  total: keyof Dashboard
  /** The kind and the line of the rows by day. */
  row: string
  report: MemberPath
  /** The colour in the chart. */
  colour: string
}

/** The ten incomes in the order of the specification: the list and the chart have the same names. */
export const INCOME_KINDS = [
  {
    text: 'levelIncome',
    total: 'levelincome',
    row: 'Level',
    report: '/LevelIncome',
    colour: 'level',
  },
  {
    text: 'forexRoi',
    total: 'Roi_IncomeForex',
    row: 'Roi FOREX',
    report: '/RoiIncomeForex',
    colour: 'roi',
  },
  {
    text: 'forexRoiLevel',
    total: 'roiLevelincomeForex',
    row: 'RoiLevel FOREX',
    report: '/RoiLevelIncomeForex',
    colour: 'roi-level',
  },
  {
    text: 'cryptoRoi',
    total: 'Roi_IncomeCrypto',
    row: 'Roi CRYPTO',
    report: '/RoiIncomeCrypto',
    colour: 'roi-crypto',
  },
  {
    text: 'cryptoRoiLevel',
    total: 'roiLevelincomeCrypto',
    row: 'RoiLevel CRYPTO',
    report: '/RoiLevelIncomeCrypto',
    colour: 'roi-level-crypto',
  },
  {
    text: 'matching',
    total: 'Binary_Income',
    row: 'Matching',
    report: '/MatchingIncome',
    colour: 'matching',
  },
  {
    text: 'salary',
    total: 'salaryIncome',
    row: 'Salary',
    report: '/SalaryIncome',
    colour: 'salary',
  },
  {
    text: 'royalty',
    total: 'RoyaltyIncome',
    row: 'Royalty',
    report: '/RoyaltyIncome',
    colour: 'royalty',
  },
  { text: 'rank', total: 'user_rank', row: 'Rank', report: '/Userrank', colour: 'rank' },
  { text: 'reward', total: 'user_reward', row: 'Reward', report: '/UserReward', colour: 'reward' },
] as const satisfies readonly IncomeKind[]
