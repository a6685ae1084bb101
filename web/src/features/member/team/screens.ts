import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/MyReferral': () => import('./MyReferral.tsx'),
  '/MyTeam': () => import('./MyTeam.tsx'),
  '/LevelDetails': () => import('./LevelDetails.tsx'),
  '/DirectLegBusiness': () => import('./DirectLegBusiness.tsx'),
}
