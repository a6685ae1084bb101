import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = { '/admin/plan': () => import('./Plan.tsx') }
