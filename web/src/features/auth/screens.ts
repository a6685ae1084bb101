import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/Login': () => import('./Login.tsx'),
}
