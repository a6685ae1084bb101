import type { ComponentType } from 'react'
import { Landing } from '@/features/landing/Landing.tsx'
import type { Strings } from '@/lib/strings/index.ts'

/**
 * The public screens, one line each. Paths are written as people see them; matching ignores
 * case, so /login and /Login are the same place.
 *
 * The landing page is part of the first download because it is what most visitors open first;
 * every other screen is loaded when somebody goes there.
 */
export interface Screen {
  path: string
  title: (strings: Strings) => string
  screen: { Component: ComponentType } | { lazy: () => Promise<{ Component: ComponentType }> }
}

const soon: Screen['screen'] = {
  lazy: async () => ({ Component: (await import('@/features/soon/ComingSoon.tsx')).ComingSoon }),
}

export const publicScreens: readonly Screen[] = [
  { path: '/', title: (s) => s.brand.homeTitle, screen: { Component: Landing } },
  { path: '/Login', title: (s) => s.titles.login, screen: soon },
  { path: '/Signup', title: (s) => s.titles.signup, screen: soon },
  { path: '/ForgotPassword', title: (s) => s.titles.forgotPassword, screen: soon },
  { path: '/WelcomePage', title: (s) => s.titles.welcome, screen: soon },
  { path: '/AdminLogin', title: (s) => s.titles.adminLogin, screen: soon },
  { path: '/Bifolia', title: (s) => s.titles.transparency, screen: soon },
  { path: '/ComingSoon', title: (s) => s.titles.comingSoon, screen: soon },
]
