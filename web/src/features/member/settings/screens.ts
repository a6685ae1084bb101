import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/ProfileSetting': () => import('./ProfileSetting.tsx'),
  '/ChangePassword': () => import('./ChangePassword.tsx'),
  '/TransactionPassword': () => import('./TransactionPassword.tsx'),
  '/ECurrencyDetails': () => import('./ECurrencyDetails.tsx'),
  '/Security': () => import('./Security.tsx'),
}
