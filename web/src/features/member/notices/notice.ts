import { fundName, lineName } from '@/lib/funds.ts'
import { formatMoney } from '@/lib/money.ts'
import type { MemberPath } from '@/lib/paths.ts'
import type { Notice } from '@/lib/queries/notices.ts'
import type { MemberStrings } from '@/lib/strings/member.ts'

/** The address with more about a notice. */
const screens: Record<Notice['kind'], MemberPath> = {
  bank: '/FundrequestBank',
  usdt: '/FundRequestECurrency',
  received: '/FundReceived',
  withdrawal: '/WithdrawLog',
  answer: '/Support',
  claim: '/WithdrawalClaim',
}

export const screenOf = ({ kind, name }: Notice): MemberPath =>
  kind === 'claim' && name === 'CRYPTO' ? '/WithdrawalClaimCrypto' : screens[kind]

const walletName = (name: string, { withdrawal }: MemberStrings) =>
  Object.entries(withdrawal.wallets).find(([wallet]) => wallet === name)?.[1] ?? name

/** A notice in a sentence with its money, its fund and its person. */
export function textOf(notice: Notice, s: MemberStrings): string {
  const { notices: t } = s
  const { kind, state, name, from, amount: exact, id } = notice
  const amount = formatMoney(exact)
  const fund = fundName(name, s) ?? name
  switch (kind) {
    case 'bank':
    case 'usdt':
      return state === 'Approved'
        ? t.fundApproved({ amount, fund })
        : t.fundRejected({ amount, fund })
    case 'received':
      return t.received({ amount, fund, from, name: notice.f_name })
    case 'withdrawal': {
      const told = { amount, wallet: walletName(name, s) }
      switch (state) {
        case 'Sent':
          return t.withdrawalSent(told)
        case 'Confirmed':
          return t.withdrawalConfirmed(told)
        case 'Rejected':
          return t.withdrawalRejected(told)
      }
      return t.withdrawalApproved(told)
    }
    case 'answer':
      return t.answer({ id })
    case 'claim':
      return state === 'Ready'
        ? t.claimReady({ line: lineName(name, s), amount })
        : t.claimWaits({ line: lineName(name, s), amount })
  }
}
