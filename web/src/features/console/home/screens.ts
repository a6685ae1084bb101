import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/admin': () => import('./Home.tsx'),
  '/admin/login': () => import('./SignIn.tsx'),
  '/admin/accept': () => import('./Accept.tsx'),
  '/admin/operators': () => import('./Operators.tsx'),
  '/admin/password': () => import('./Password.tsx'),
  '/admin/passkeys': () => import('./Passkeys.tsx'),
  '/admin/sessions': () => import('./Sessions.tsx'),
}
