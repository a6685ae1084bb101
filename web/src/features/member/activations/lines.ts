import { useQuery } from '@tanstack/react-query'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import type { Fund } from '@/lib/funds.ts'
import { minus, signOf } from '@/lib/money.ts'
import { incomeReportOptions } from '@/lib/queries/incomeReport.ts'
import { useSession } from '@/lib/session.ts'

type Person = components['schemas']['SponsorResult']
type PurchaseBody = components['schemas']['PurchaseBody']

/** One of the three lines of the product. */
export interface Line {
  /** Undefined for Robot, which has fixed prices and needs no licence. */
  name?: 'forex' | 'crypto'
  fund: Fund
  /** The report that lists the packages of the line. */
  packages: string
  /** 0: the member has nothing in this line yet; 1: has something. */
  status: (person: Person) => number | undefined
}

export const robot: Line = {
  fund: 'FUNDS',
  packages: 'Packages',
  status: (person) => person.RobotStatus,
}

export const forex: Line = {
  name: 'forex',
  fund: 'FOREXFUNDS',
  packages: 'ForexPackage',
  status: (person) => person.ForexStatus,
}

export const crypto: Line = {
  name: 'crypto',
  fund: 'CRYPTOFUNDS',
  packages: 'CryptoPackage',
  status: (person) => person.CryptoStatus,
}

/** Whether the receiver buys for the first time in this line. */
export type Topup = 'Activation' | 'Upgrade'

const TOPUPS: Readonly<Record<number, Topup>> = { 0: 'Activation', 1: 'Upgrade' }

export const topupOf = (line: Line, person: Person | undefined): Topup | undefined => {
  const status = person && line.status(person)
  return status === undefined ? undefined : TOPUPS[status]
}

export interface Package {
  id: string
  name: string
  /** The price; for Forex and Crypto the minimum. */
  amount: string
  from?: string | undefined
  to?: string | undefined
  /** Of a Robot package: the most matching income of a day. */
  cap?: string | undefined
  /** Of a trading line. */
  terms?: Terms | undefined
}

/** The conditions of an investment. */
export interface Terms {
  days: number
  /** The end of an investment of today. */
  ends: string
  /** The division of a profit, in parts per million. */
  member: number
  fee: number
  level: number
}

type Row = components['schemas']['ReportRow']

const termsOf = ({ term, ends, member_ppm = 0, fee_ppm = 0, level_ppm = 0 }: Row) =>
  term && ends
    ? { days: term, ends, member: member_ppm, fee: fee_ppm, level: level_ppm }
    : undefined

const packagesOf = (rows: readonly Row[]): Package[] =>
  rows.map((row) => ({
    id: row.id ?? '',
    name: row.planname ?? '',
    amount: row.amount ?? '0',
    from: row.fromamount,
    to: row.toamount,
    cap: row.capingamount,
    terms: termsOf(row),
  }))

/** The largest package that a member's purchases come to. */
export const packageWorth = (packages: readonly Package[], owned: string | undefined) =>
  owned === undefined
    ? undefined
    : packages.findLast(({ amount }) => signOf(minus(owned, amount)) >= 0)

/** The packages that the line offers now: none if it has no licence. */
export function usePackages({ packages: type }: Line) {
  const { userId } = useSession()
  return useQuery({ ...incomeReportOptions(userId, type), select: packagesOf })
}

/** Each kind of purchase has its own call. */
export function purchase(line: Line, topup: Topup, body: PurchaseBody, key: string) {
  const sent = { body: { ...body, type: line.fund, topuptype: topup }, ...underKey(key) }
  if (line.name) {
    return answerOf(
      topup === 'Activation'
        ? api.POST('/api/ActivationByFund_investment', sent)
        : api.POST('/api/UpgradeByFund_investment', sent),
    )
  }
  return answerOf(
    topup === 'Activation'
      ? api.POST('/api/ActivationByFund', sent)
      : api.POST('/api/UpgradebyFund', sent),
  )
}

interface Pricing {
  line: Line
  chosen: Package | undefined
  amount: string
  topup: Topup | undefined
  /** The receiver's total spent on packages, if it is known. */
  owned: string | undefined
}

/** The amount that the fund pays. An upgrade costs the difference. */
export function priceOf({ line, chosen, amount, topup, owned }: Pricing): string {
  if (line.name) return amount
  if (!chosen) return '0'
  if (topup !== 'Upgrade' || owned === undefined) return chosen.amount
  const difference = minus(chosen.amount, owned)
  return signOf(difference) > 0 ? difference : '0'
}
