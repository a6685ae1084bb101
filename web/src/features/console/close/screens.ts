import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/admin/close': () => import('./Close.tsx'),
}
