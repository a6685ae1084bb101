import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/admin/login': () => import('./SignIn.tsx'),
  '/admin/accept': () => import('./Accept.tsx'),
}
