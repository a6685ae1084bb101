import { formatMoney, isAmount, minus, signOf } from '../money.ts'
import { LIMITS } from './limits.ts'
import { atLeast, atMost, email, type Rule, required, same, secretAtLeast } from './rule.ts'

/** The checks of every form, in the order of its fields. */

export interface LoginValues {
  userId: string
  password: string
}

export const loginRules: readonly Rule<LoginValues>[] = [
  required('userId', (t) => t.loginBoth),
  required('password', (t) => t.loginBoth),
]

export const secondRules: readonly Rule<{ code: string }>[] = [
  required('code', (t) => t.codeRequired),
]

export interface SignupValues {
  sponsor: string
  /** Whether the sponsor exists; undefined until the look-up has answered. */
  sponsorKnown: boolean | undefined
  name: string
  country: string
  mobile: string
  email: string
  password: string
  confirm: string
  position: string
  terms: boolean
}

export const signupRules: readonly Rule<SignupValues>[] = [
  required('sponsor', (t) => t.sponsorRequired),
  atMost('sponsor', LIMITS.sponsor, (t) => t.sponsorLong),
  { field: 'sponsor', text: (t) => t.sponsorInvalid, fails: (v) => v.sponsorKnown === false },
  required('name', (t) => t.nameRequired),
  atLeast('name', LIMITS.nameMin, (t) => t.nameShort),
  atMost('name', LIMITS.name, (t) => t.nameLong),
  required('country', (t) => t.countryRequired),
  atLeast('mobile', LIMITS.mobileMin, (t) => t.mobileInvalid),
  required('email', (t) => t.emailRequired),
  email('email', (t) => t.emailInvalid),
  required('password', (t) => t.passwordRequired),
  secretAtLeast('password', LIMITS.passwordMin, (t) => t.passwordShort),
  same('confirm', 'password', (t) => t.passwordMismatch),
  required('position', (t) => t.positionRequired),
  { field: 'terms', text: (t) => t.termsRequired, fails: (v) => !v.terms },
]

export interface ForgotValues {
  userId: string
  /** Only asked for if the installation mails a code first. */
  otp: string
}

export const forgotRules: readonly Rule<ForgotValues>[] = [
  required('userId', (t) => t.userIdRequired),
]

export const forgotByCodeRules: readonly Rule<ForgotValues>[] = [
  ...forgotRules,
  required('otp', (t) => t.enterOtp),
]

export interface ResetValues {
  password: string
  confirm: string
}

export const resetRules: readonly Rule<ResetValues>[] = [
  required('password', (t) => t.passwordRequired),
  secretAtLeast('password', LIMITS.passwordMin, (t) => t.passwordShort),
  same('confirm', 'password', (t) => t.passwordMismatch),
]

export interface FundRequestUsdtValues {
  amount: string
  transactionNumber: string
  fundType: string
}

export const fundRequestUsdtRules: readonly Rule<FundRequestUsdtValues>[] = [
  required('amount', (t) => t.amountRequired),
  required('transactionNumber', (t) => t.transactionNumberRequired),
  required('fundType', (t) => t.fundTypeRequired),
]

export const announceRules: readonly Rule<{ amount: string; fundType: string }>[] = [
  required('fundType', (t) => t.fundTypeRequired),
  required('amount', (t) => t.amountRequired),
]

export interface FundTransferValues {
  userId: string
  amount: string
  wallet: string
  transactionPassword: string
}

/** A withdrawal that the server would certainly refuse is not confirmed first. */
export const fundTransferRules = (own: string): readonly Rule<FundTransferValues>[] => [
  required('userId', (t) => t.allRequired),
  required('amount', (t) => t.allRequired),
  required('wallet', (t) => t.allRequired),
  { field: 'amount', text: (t) => t.transferAmount, fails: (v) => !/^[1-9]/.test(v.amount) },
  { field: 'userId', text: (t) => t.transferToSelf, fails: (v) => v.userId === own },
  required('transactionPassword', (t) => t.transactionPasswordRequired),
]

export interface WithdrawalValues {
  amount: string
  incomeType: string
  withdrawalType: string
  email: string
  otp: string
}

export const sendOtpRules: readonly Rule<WithdrawalValues>[] = [
  required('amount', (t) => t.otpAmount),
  required('incomeType', (t) => t.otpIncomeType),
  required('email', (t) => t.emailRequired),
]

const withdrawalOrder: readonly Rule<WithdrawalValues>[] = [
  required('amount', (t) => t.enterAmount),
  required('incomeType', (t) => t.selectIncomeType),
  required('withdrawalType', (t) => t.selectWithdrawalType),
]

export const withdrawalRules: readonly Rule<WithdrawalValues>[] = [
  ...withdrawalOrder,
  required('otp', (t) => t.enterOtp),
]

/** For a member with a second factor: a code of the app, unless a passkey signs. */
export const withdrawalByFactorRules = (code: boolean): readonly Rule<WithdrawalValues>[] => [
  ...withdrawalOrder,
  ...(code ? [atLeast<WithdrawalValues>('otp', LIMITS.otp, (t) => t.factorCode)] : []),
]

/** Above the operators' limit a withdrawal needs a second factor. */
export const factorAbove = (above: string): Rule<WithdrawalValues> => ({
  field: 'amount',
  text: (t) => t.withdrawFactor({ above: formatMoney(above) }),
  fails: ({ amount }) => isAmount(amount) && signOf(minus(above, amount)) < 0,
})

/** Amounts that can never be withdrawn, in the server's order. */
export const withdrawableRules = (
  min: string,
  daily: string,
): readonly Rule<WithdrawalValues>[] => [
  { field: 'amount', text: (t) => t.withdrawAmount, fails: (v) => !/^[1-9]/.test(v.amount) },
  {
    field: 'amount',
    text: (t) => t.withdrawMin({ min: formatMoney(min) }),
    fails: ({ amount }) => isAmount(amount) && signOf(minus(amount, min)) < 0,
  },
  {
    field: 'amount',
    text: (t) => t.withdrawDaily({ most: formatMoney(daily) }),
    fails: ({ amount }) => isAmount(amount) && signOf(minus(daily, amount)) < 0,
  },
]

export interface ProfileValues {
  firstName: string
  lastName: string
  father: string
  country: string
  email: string
  mobile: string
  dob: string
  gender: string
  address: string
  about: string
  nominee: string
  relation: string
  transactionPassword: string
}

export const profileRules: readonly Rule<ProfileValues>[] = [
  required('firstName', (t) => t.nameRequired),
  atLeast('firstName', LIMITS.nameMin, (t) => t.nameShort),
  required('lastName', (t) => t.lastNameRequired),
  atLeast('lastName', LIMITS.nameMin, (t) => t.lastNameShort),
  required('father', (t) => t.fatherRequired),
  atLeast('father', LIMITS.nameMin, (t) => t.fatherShort),
  required('country', (t) => t.countryRequired),
  required('email', (t) => t.emailRequired),
  email('email', (t) => t.emailInvalid),
  required('mobile', (t) => t.mobileRequired),
  required('dob', (t) => t.dobRequired),
  required('gender', (t) => t.genderRequired),
  required('address', (t) => t.addressRequired),
  required('about', (t) => t.aboutRequired),
  required('nominee', (t) => t.nomineeRequired),
  atLeast('nominee', LIMITS.nameMin, (t) => t.nomineeShort),
  required('relation', (t) => t.relationRequired),
  required('transactionPassword', (t) => t.transactionPasswordRequired),
]

export interface NewPasswordValues {
  old: string
  next: string
  confirm: string
  /** Only asked for if the installation mails a code first. */
  otp: string
}

/** For the login password and the transaction password. */
export const newPasswordRules: readonly Rule<NewPasswordValues>[] = [
  required('old', (t) => t.allRequired),
  required('next', (t) => t.allRequired),
  required('confirm', (t) => t.allRequired),
  same('confirm', 'next', (t) => t.newPasswordMismatch),
]

export const newPasswordByCodeRules: readonly Rule<NewPasswordValues>[] = [
  ...newPasswordRules,
  required('otp', (t) => t.enterOtp),
]

export interface WalletValues {
  address: string
  transactionPassword: string
}

export const walletRules: readonly Rule<WalletValues>[] = [
  required('address', (t) => t.walletRequired),
  required('transactionPassword', (t) => t.transactionPasswordRequired),
]

export interface BankValues {
  holder: string
  account: string
  ifsc: string
  /** Bank and branch, typed by hand: the look-up of the IFSC fills them in before. */
  bank: string
  branch: string
  pan: string
  aadhar: string
  transactionPassword: string
}

export const bankRules: readonly Rule<BankValues>[] = [
  required('holder', (t) => t.holderRequired),
  required('account', (t) => t.accountRequired),
  required('ifsc', (t) => t.ifscRequired),
  required('pan', (t) => t.panRequired),
  required('aadhar', (t) => t.aadharRequired),
  required('transactionPassword', (t) => t.transactionPasswordRequired),
]

export const supportRules: readonly Rule<{ query: string }>[] = [
  required('query', (t) => t.queryRequired),
]

export interface ActivationValues {
  userId: string
  package: string
  /** For Forex and Crypto. */
  amount: string
  transactionPassword: string
}

export const activationRules: readonly Rule<ActivationValues>[] = [
  required('userId', (t) => t.allRequired),
  required('package', (t) => t.allRequired),
  required('transactionPassword', (t) => t.transactionPasswordRequired),
]

/** An investment also has an amount. */
export const investmentRules: readonly Rule<ActivationValues>[] = [
  required('userId', (t) => t.allRequired),
  required('package', (t) => t.allRequired),
  required('amount', (t) => t.allRequired),
  required('transactionPassword', (t) => t.transactionPasswordRequired),
]

/** The amount of such a package must lie within its range. */
export const rangeRule = (from: string, to: string): Rule<ActivationValues> => ({
  field: 'amount',
  text: (t) => t.packageRange({ from: formatMoney(from), to: formatMoney(to) }),
  fails: ({ amount }) =>
    !isAmount(amount) || signOf(minus(amount, from)) < 0 || signOf(minus(to, amount)) < 0,
})

export const refundRules: readonly Rule<{ transactionPassword: string }>[] = [
  required('transactionPassword', (t) => t.transactionPasswordRequired),
]

export const claimRules: readonly Rule<{ id: string; uid: string }>[] = [
  required('id', (t) => t.allRequired),
  required('uid', (t) => t.allRequired),
]

export interface OperatorLoginValues {
  email: string
  password: string
  code: string
}

/** The code is empty at the first sign-in. */
export const operatorLoginRules: readonly Rule<OperatorLoginValues>[] = [
  required('email', (t) => t.emailRequired),
  required('password', (t) => t.passwordRequired),
]

export const factorRules: readonly Rule<{ code: string }>[] = [
  atLeast('code', LIMITS.otp, (t) => t.factorCode),
]

export interface AcceptValues {
  password: string
  confirm: string
}

export const acceptRules: readonly Rule<AcceptValues>[] = [
  secretAtLeast('password', LIMITS.operatorPasswordMin, (t) => t.operatorPasswordShort),
  same('confirm', 'password', (t) => t.confirmDiffers),
]

export interface ChangePasswordValues {
  password: string
  newPassword: string
  confirm: string
  code: string
}

export const changePasswordRules: readonly Rule<ChangePasswordValues>[] = [
  required('password', (t) => t.passwordRequired),
  secretAtLeast('newPassword', LIMITS.operatorPasswordMin, (t) => t.operatorPasswordShort),
  same('confirm', 'newPassword', (t) => t.confirmDiffers),
]
