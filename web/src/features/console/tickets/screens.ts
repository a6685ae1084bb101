import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/admin/tickets': () => import('./Tickets.tsx'),
}
