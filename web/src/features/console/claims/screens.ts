import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/admin/claims': () => import('./Claims.tsx'),
}
