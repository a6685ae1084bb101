import { formatDay } from '@/lib/dates.ts'
import { fundName, lineName } from '@/lib/funds.ts'
import { formatMoney } from '@/lib/money.ts'
import type { MemberPath } from '@/lib/paths.ts'
import type { useAccount } from '@/lib/queries/account.ts'
import type { Dashboard } from '@/lib/queries/dashboard.ts'
import type { MemberStrings } from '@/lib/strings/member.ts'
import { term } from '@/lib/strings/serverText.ts'
import type { Overview } from './queries.ts'

export type Account = NonNullable<ReturnType<typeof useAccount>['data']>

export interface Task {
  kind: 'claim' | 'rejected' | 'security' | 'refund' | 'moving'
  text: string
  /** Further words of an operator. */
  detail?: string
  to: MemberPath
}

/** Whether the member owns anything: a Robot package or an investment. */
export const isActive = (row: Dashboard): boolean =>
  [row.MyPackage, row.MyPackage_Forex, row.MyPackage_Crypto].some((amount) => Number(amount) > 0)

/** What the member should do, the money first. */
export function toDo(overview: Overview, account: Account | undefined, s: MemberStrings): Task[] {
  const { dashboard: t } = s
  const { claims, moves, cooling } = overview
  const tasks: Task[] = claims.map(({ line, count, amount }) => ({
    kind: 'claim',
    text: t.doClaim({ count, amount: formatMoney(amount), line: lineName(line, s) }),
    to: line === 'CRYPTO' ? '/WithdrawalClaimCrypto' : '/WithdrawalClaim',
  }))
  for (const { state, amount, remark } of moves) {
    if (state !== 'Rejected') continue
    const text = t.doRejected({ amount: formatMoney(amount) })
    tasks.push({ kind: 'rejected', text, detail: remark, to: '/WithdrawLog' })
  }
  const security = (text: string, to: MemberPath) => tasks.push({ kind: 'security', text, to })
  if (account && account.transactionPasswordEnds !== '') security(t.doPin, '/TransactionPassword')
  if (account && account.confirmed === '') security(t.doEmail, '/Security')
  if (!overview.hasAddress) security(t.doAddress, '/ECurrencyDetails')
  if (!overview.hasFactor) security(t.doFactor, '/Security')
  if (cooling) {
    tasks.push({
      kind: 'refund',
      text: t.doRefund({ name: term(cooling.package), day: formatDay(cooling.until) }),
      to: '/RobotActivation',
    })
  }
  return tasks
}

/** Fund requests and withdrawals in progress. */
export function inProgress({ moves }: Overview, s: MemberStrings): Task[] {
  const { dashboard: t } = s
  return moves
    .filter(({ state }) => state !== 'Rejected')
    .map(({ kind, state, name, way, amount }): Task => {
      const money = formatMoney(amount)
      if (kind === 'withdrawal') {
        const text = t.withdrawalPending({ amount: money, state: term(state) })
        return { kind: 'moving', text, to: '/WithdrawLog' }
      }
      return {
        kind: 'moving',
        text: t.requestPending({ amount: money, fund: fundName(name, s) ?? name }),
        to: way === 'BANK' ? '/FundrequestBank' : '/FundRequestECurrency',
      }
    })
}
