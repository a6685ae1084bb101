import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/admin/claims': () => import('./Claims.tsx'),
  '/admin/funds': () => import('./FundRequests.tsx'),
  '/admin/tickets': () => import('./Tickets.tsx'),
  '/admin/unmatched': () => import('./Unmatched.tsx'),
  '/admin/withdrawals': () => import('./Withdrawals.tsx'),
}
