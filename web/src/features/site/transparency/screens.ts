import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/Bifolia': () => import('./Transparency.tsx'),
}
