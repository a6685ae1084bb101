import type { Strings } from './strings/index.ts'

/**
 * Every address of the product. Matching ignores case: /DashBoard and /dashboard are one address.
 * Titles are in the messages under the same keys, so that an address without a title does not
 * compile.
 */

export type PublicPath = '/' | keyof Strings['publicTitles']
export type MemberPath = keyof Strings['memberTitles']
export type AdminPath = keyof Strings['adminTitles']

export const publicPaths: readonly PublicPath[] = [
  '/',
  '/Login',
  '/Signup',
  '/ForgotPassword',
  '/ConfirmEmail',
  '/WelcomePage',
  '/AdminLogin',
  '/Bifolia',
  '/ComingSoon',
]

/** These need a member's session. */
export const memberPaths: readonly MemberPath[] = [
  '/dashboard',
  '/RobotActivation',
  '/Upgrade',
  '/MyReferral',
  '/DirectLegBusiness',
  '/LevelDetails',
  '/MyTeam',
  '/DirectIncome',
  '/RewardIncome',
  '/RoiIncome',
  '/RoiLevelIncome',
  '/UserReward',
  '/FundrequestBank',
  '/FundRequestECurrency',
  '/FundTransfer',
  '/FundReceived',
  '/WithdrawalRequest',
  '/WithdrawLog',
  '/ProfileSetting',
  '/ChangePassword',
  '/ECurrencyDetails',
  '/Support',
  '/LevelIncome',
  '/MatchingIncome',
  '/Tree_View',
  '/SalaryIncome',
  '/RoyaltyIncome',
  '/Userrank',
  '/TransactionPassword',
  '/RoiIncomeForex',
  '/RoiLevelIncomeForex',
  '/RoiIncomeCrypto',
  '/RoiLevelIncomeCrypto',
  '/ForexActivation',
  '/ForexActHistory',
  '/ForexDownlineActivationHistory',
  '/CryptoActivation',
  '/CryptoActHistory',
  '/CryptoDownlineActivationHistory',
  '/RobotActivationHistory',
  '/RobotDownlineActivationHistory',
  '/WithdrawalClaim',
  '/WithdrawalClaimCrypto',
  '/Security',
  '/Notices',
  '/Lessons',
]

/** The operators' console. Without an operator's session they show its sign-in. */
export const adminPaths: readonly AdminPath[] = [
  '/admin',
  '/admin/funds',
  '/admin/unmatched',
  '/admin/withdrawals',
  '/admin/payouts',
  '/admin/claims',
  '/admin/tickets',
  '/admin/close',
  '/admin/trading',
  '/admin/members',
  '/admin/member',
  '/admin/reports',
  '/admin/plan',
  '/admin/brand',
  '/admin/settings',
  '/admin/operators',
  '/admin/audit',
  '/admin/password',
  '/admin/passkeys',
  '/admin/sessions',
]

/** These open without an operator's session. */
export const adminDoors: readonly AdminPath[] = ['/admin/login', '/admin/accept']

const isAdmin = (path: AdminPath | PublicPath | MemberPath, s: Strings): path is AdminPath =>
  Object.hasOwn(s.adminTitles, path)

const isPublic = (
  path: PublicPath | MemberPath,
  s: Strings,
): path is keyof Strings['publicTitles'] => Object.hasOwn(s.publicTitles, path)

export function titleOf(path: AdminPath | PublicPath | MemberPath, strings: Strings): string {
  if (isAdmin(path, strings)) return strings.adminTitles[path]
  if (path === '/') return strings.brand.title
  return isPublic(path, strings) ? strings.publicTitles[path] : strings.memberTitles[path]
}

/** The address where a member corrects a mistyped e-mail address. */
export const CORRECT = '/Security#correct'

/** The address where a member downloads statements. */
export const STATEMENT = '/ProfileSetting#statement'
