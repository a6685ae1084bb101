import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/Tree_View': () => import('./TreeView.tsx'),
}
