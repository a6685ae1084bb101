import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/admin/trading': () => import('./Trading.tsx'),
}
