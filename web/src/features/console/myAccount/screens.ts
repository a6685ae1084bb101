import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/admin/password': () => import('./MyPassword.tsx'),
  '/admin/passkeys': () => import('./MyPasskeys.tsx'),
  '/admin/sessions': () => import('./MySessions.tsx'),
}
