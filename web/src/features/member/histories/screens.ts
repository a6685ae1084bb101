import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/RobotActivationHistory': () => import('./RobotActivationHistory.tsx'),
  '/RobotDownlineActivationHistory': () => import('./RobotDownlineActivationHistory.tsx'),
  '/ForexActHistory': () => import('./ForexActHistory.tsx'),
  '/ForexDownlineActivationHistory': () => import('./ForexDownlineActivationHistory.tsx'),
  '/CryptoActHistory': () => import('./CryptoActHistory.tsx'),
  '/CryptoDownlineActivationHistory': () => import('./CryptoDownlineActivationHistory.tsx'),
  '/FundReceived': () => import('./FundReceived.tsx'),
  '/WithdrawLog': () => import('./WithdrawLog.tsx'),
}
