import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/LevelIncome': () => import('./LevelIncome.tsx'),
  '/MatchingIncome': () => import('./MatchingIncome.tsx'),
  '/SalaryIncome': () => import('./SalaryIncome.tsx'),
  '/RoyaltyIncome': () => import('./RoyaltyIncome.tsx'),
  '/Userrank': () => import('./UserRank.tsx'),
  '/UserReward': () => import('./UserReward.tsx'),
  '/RoiIncome': () => import('./RoiIncome.tsx'),
  '/RoiLevelIncome': () => import('./RoiLevelIncome.tsx'),
  '/RoiIncomeForex': () => import('./RoiIncomeForex.tsx'),
  '/RoiLevelIncomeForex': () => import('./RoiLevelIncomeForex.tsx'),
  '/RoiIncomeCrypto': () => import('./RoiIncomeCrypto.tsx'),
  '/RoiLevelIncomeCrypto': () => import('./RoiLevelIncomeCrypto.tsx'),
  '/DirectIncome': () => import('./Placeholder.tsx'),
  '/RewardIncome': () => import('./Placeholder.tsx'),
}
