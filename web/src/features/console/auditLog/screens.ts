import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = { '/admin/audit': () => import('./AuditLog.tsx') }
