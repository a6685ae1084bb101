import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/admin/operators': () => import('./Operators.tsx'),
}
