import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/admin/settings': () => import('./Settings.tsx'),
}
