import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/dashboard': () => import('./Dashboard.tsx'),
}
