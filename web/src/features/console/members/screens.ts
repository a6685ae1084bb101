import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/admin/members': () => import('./Members.tsx'),
  '/admin/member': () => import('./Member.tsx'),
}
