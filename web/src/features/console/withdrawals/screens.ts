import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/admin/withdrawals': () => import('./Withdrawals.tsx'),
}
