import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/Notices': () => import('./Notices.tsx'),
}
