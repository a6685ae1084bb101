import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/MyReferral': () => import('./MyReferral.tsx'),
}
