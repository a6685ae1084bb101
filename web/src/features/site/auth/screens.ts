import type { Screens } from '@/lib/screens.ts'

export const screens: Screens = {
  '/Login': () => import('./Login.tsx'),
  '/Signup': () => import('./Signup.tsx'),
  '/ConfirmEmail': () => import('./ConfirmEmail.tsx'),
  '/WelcomePage': () => import('./WelcomePage.tsx'),
  '/ForgotPassword': () => import('./ForgotPassword.tsx'),
  '/AdminLogin': () => import('./AdminLogin.tsx'),
}
