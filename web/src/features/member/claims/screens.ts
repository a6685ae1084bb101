import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/WithdrawalClaim': () => import('./WithdrawalClaim.tsx'),
  '/WithdrawalClaimCrypto': () => import('./WithdrawalClaimCrypto.tsx'),
}
