import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/WithdrawalRequest': () => import('./WithdrawalRequest.tsx'),
  '/WithdrawLog': () => import('./WithdrawLog.tsx'),
}
