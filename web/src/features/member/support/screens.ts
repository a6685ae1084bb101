import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/Support': () => import('./Support.tsx'),
}
