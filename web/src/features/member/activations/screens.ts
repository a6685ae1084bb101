import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/RobotActivation': () => import('./RobotActivation.tsx'),
  '/Upgrade': () => import('./Upgrade.tsx'),
  '/ForexActivation': () => import('./ForexActivation.tsx'),
  '/CryptoActivation': () => import('./CryptoActivation.tsx'),
}
