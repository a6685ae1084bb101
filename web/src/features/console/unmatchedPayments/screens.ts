import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/admin/unmatched': () => import('./UnmatchedPayments.tsx'),
}
