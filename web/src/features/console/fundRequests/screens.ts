import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/admin/funds': () => import('./FundRequests.tsx'),
}
