import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/RobotActivation': () => import('./RobotActivation.tsx'),
  '/Lessons': () => import('./Lessons.tsx'),
  '/Upgrade': () => import('./Upgrade.tsx'),
  '/RobotActivationHistory': () => import('./RobotActivationHistory.tsx'),
  '/RobotDownlineActivationHistory': () => import('./RobotDownlineActivationHistory.tsx'),
  '/CryptoActivation': () => import('./CryptoActivation.tsx'),
  '/CryptoActHistory': () => import('./CryptoActHistory.tsx'),
  '/CryptoDownlineActivationHistory': () => import('./CryptoDownlineActivationHistory.tsx'),
  '/WithdrawalClaimCrypto': () => import('./WithdrawalClaimCrypto.tsx'),
  '/ForexActivation': () => import('./ForexActivation.tsx'),
  '/ForexActHistory': () => import('./ForexActHistory.tsx'),
  '/ForexDownlineActivationHistory': () => import('./ForexDownlineActivationHistory.tsx'),
  '/WithdrawalClaim': () => import('./WithdrawalClaim.tsx'),
}
