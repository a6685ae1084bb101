import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/FundRequestECurrency': () => import('./FundRequestECurrency.tsx'),
  '/FundrequestBank': () => import('./FundrequestBank.tsx'),
  '/FundTransfer': () => import('./FundTransfer.tsx'),
  '/FundReceived': () => import('./FundReceived.tsx'),
}
