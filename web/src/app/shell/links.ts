import type { Strings } from '@/lib/strings/index.ts'

/** A link of the public site: a screen, or a section of the landing page. */
export interface SiteLink {
  to: string
  label: (links: Strings['links']) => string
}

/** Absolute, so that sections can be reached from every page. */
export const siteLinks: readonly SiteLink[] = [
  { to: '/', label: (l) => l.home },
  { to: '/#Services', label: (l) => l.services },
  { to: '/#About', label: (l) => l.about },
  { to: '/#Faq', label: (l) => l.faq },
  { to: '/#Contact', label: (l) => l.contact },
]

export const loginLink: SiteLink = { to: '/Login', label: (l) => l.login }
/** In place of the login for members who are signed in. */
export const dashboardLink: SiteLink = { to: '/dashboard', label: (l) => l.dashboard }
export const registerLink: SiteLink = { to: '/Signup', label: (l) => l.register }

export const memberLinks: readonly SiteLink[] = [
  loginLink,
  registerLink,
  { to: '/ForgotPassword', label: (l) => l.forgotPassword },
  { to: '/Bifolia', label: (l) => l.transparency },
]
