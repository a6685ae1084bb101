import { answerOf } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import { formatMoment, zone } from '@/lib/dates.ts'
import { isAmount, minus, plus, signOf } from '@/lib/money.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import type { ConsoleStrings } from '@/lib/strings/console.ts'
import { named } from '@/lib/strings/named.ts'
import { Amount } from '../../Amount.tsx'
import type { Act } from '../ActDialog.tsx'
import { Exact, Signed } from '../Exact.tsx'

export type Correction = components['schemas']['CorrectionRow']
type Direction = Correction['direction']
type Wallet = components['schemas']['MemberWallet']

const FUNDS = ['FUNDS', 'FOREXFUNDS', 'CRYPTOFUNDS'] as const
const INCOMES = [
  'LevelIncome',
  'binaryIncome',
  'ForexIncome',
  'CryptoIncome',
  'royalty_income',
  'salaryrankreward',
] as const

/** A wrong entry, which fills the dialog's fields. */
export interface WrongEntry {
  wallet: string
  transfer: string
  amount: string
}

const isFund = (wallet: string) => FUNDS.some((fund) => fund === wallet)

/** The wallet of an account, if it can be corrected. */
export function walletOf(account: string): string {
  const [side, kind, wallet = ''] = account.split(':')
  return side === 'L' && (kind === 'FUND' || kind === 'INCOME') ? wallet : ''
}

function availableIn(wallet: string, wallets: readonly Wallet[]): string {
  return wallets.find(({ account }) => walletOf(account) === wallet)?.available ?? '0'
}

/** The balance before and after, as a preview: the server decides. */
function balancesAfter(
  { wallet = '', direction = '', amount = '' }: Record<string, string>,
  wallets: readonly Wallet[],
  { corrections: t }: ConsoleStrings,
): NonNullable<Act['facts']> {
  const now = availableIn(wallet, wallets)
  const sum = amount.trim()
  const valid = isAmount(sum) && signOf(sum) > 0
  const then = valid ? (direction === 'credit' ? plus(now, sum) : minus(now, sum)) : now
  return [
    [t.before, <Amount key="before" value={now} />],
    [t.after, signOf(then) < 0 ? t.tooMuch : <Amount key="after" value={then} />],
  ]
}

/** Proposes to correct a wallet of the member. */
export function correct(
  uid: string,
  wallets: readonly Wallet[],
  strings: ConsoleStrings,
  wrong?: WrongEntry,
): Act {
  const {
    corrections: t,
    console: { codes },
  } = strings
  const options = (names: readonly string[]) =>
    names.map((value) => ({ value, label: named(codes, value) }))
  const directions = (wallet: string): readonly Direction[] =>
    isFund(wallet) ? ['credit', 'debit'] : ['debit', 'move']
  const moves = ({ direction }: Record<string, string>) => direction === 'move'
  return {
    ...t.propose,
    fields: [
      {
        name: 'wallet',
        label: t.wallet,
        kind: 'select',
        options: options([...FUNDS, ...INCOMES]),
        ...(wrong && { initial: wrong.wallet }),
      },
      {
        name: 'direction',
        label: t.direction,
        kind: 'select',
        options: ({ wallet = '' }) =>
          directions(wallet).map((value) => ({ value, label: t.directions[value] })),
        ...(wrong && { initial: signOf(wrong.amount) < 0 ? 'credit' : 'debit' }),
      },
      {
        name: 'into',
        label: t.into,
        kind: 'select',
        options: ({ wallet }) => options(INCOMES.filter((income) => income !== wallet)),
        when: moves,
      },
      {
        name: 'amount',
        label: t.amount,
        most: 20,
        ...(wrong && { initial: wrong.amount.replace('-', '') }),
      },
      { name: 'reason', label: t.reason, kind: 'area', oneLine: true, most: 500 },
      {
        name: 'corrects',
        label: t.corrects,
        optional: true,
        most: 160,
        ...(wrong && { initial: wrong.transfer }),
      },
    ],
    preview: (values) => balancesAfter(values, wallets, strings),
    call: (values, key) => {
      const { wallet = '', direction, into = '', amount = '', reason = '', corrects = '' } = values
      return answerOf(
        operatorApi.POST('/api/operator/correction', {
          body: {
            uid,
            wallet,
            direction: direction as Direction,
            amount: amount.trim(),
            reason,
            ...(moves(values) && { into }),
            ...(corrects.trim() && { corrects }),
          },
          ...underKey(key),
        }),
      )
    },
  }
}

/** The effect of a correction as a text. */
export function effectOf(
  { direction, into }: Correction,
  { corrections: t, console: { codes } }: ConsoleStrings,
): string {
  return into ? `${t.directions[direction]}: ${named(codes, into)}` : t.directions[direction]
}

/** All fields of the proposal, and the payload of which the digest is computed. */
function factsOf(c: Correction, strings: ConsoleStrings): NonNullable<Act['facts']> {
  const { corrections: t, trading, closes, console } = strings
  const then = c.direction === 'credit' ? plus(c.available, c.amount) : minus(c.available, c.amount)
  return [
    [t.member, c.uid],
    [t.wallet, named(console.codes, c.wallet)],
    [t.direction, effectOf(c, strings)],
    [t.amount, <Amount key="amount" value={c.amount} />],
    [t.against, t.againsts[c.against]],
    [t.before, <Amount key="before" value={c.available} />],
    [t.after, signOf(then) < 0 ? t.tooMuch : <Amount key="after" value={then} />],
    [t.why, c.reason],
    ...(c.corrects ? ([[t.wrong, <Exact key="wrong" text={c.corrects} />]] as const) : []),
    [trading.proposedBy, c.proposedBy],
    [closes.proposedAt, formatMoment(c.proposedAt, zone())],
    [trading.details, <Signed key="signed" payload={c.payload} digest={c.digest} />],
  ]
}

/** The decision names the digest that the operator has seen. */
export function decideCorrection(c: Correction, approve: boolean, strings: ConsoleStrings): Act {
  const { corrections: t, console } = strings
  return {
    ...(approve ? t.approve : c.own ? t.withdraw : t.refuse),
    facts: factsOf(c, strings),
    ...(!approve &&
      !c.own && { fields: [{ name: 'reason', label: console.act.reason, kind: 'area' }] }),
    call: ({ reason = '' }, key) =>
      answerOf(
        operatorApi.POST('/api/operator/correction/decide', {
          body: { id: c.id, digest: c.digest, approve, reason },
          ...underKey(key),
        }),
      ),
  }
}
