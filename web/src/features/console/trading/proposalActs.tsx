import { Amount } from '@/components/Amount.tsx'
import type { Act, ActField } from '@/components/console/ActDialog.tsx'
import { Exact, Signed } from '@/components/console/Exact.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import { formatDay, formatMoment, zone } from '@/lib/dates.ts'
import { formatMoney } from '@/lib/money.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import type { ConsoleStrings } from '@/lib/strings/console.ts'
import { serverText } from '@/lib/strings/serverText.ts'
import styles from './Trading.module.css'
import { subjectOf } from './tradingActs.ts'

export type Proposal = components['schemas']['BookingProposal']

/** The subject of a proposal; of a cancellation, the booking that it cancels. */
export const kindOf = ({ kind, cancels }: Proposal, { trading: t }: ConsoleStrings): string =>
  cancels ? `${t.kinds[kind]}: ${t.kinds[cancels]}` : t.kinds[kind]

/** All fields of the proposal, and the payload of which the digest is computed. */
function seen(p: Proposal, strings: ConsoleStrings): NonNullable<Act['facts']> {
  const { trading: t, closes } = strings
  return [
    ...(p.warning ? ([[t.warning, <Warning key="warning" of={p} />]] as const) : []),
    [t.kind, kindOf(p, strings)],
    ...(p.cancelsId ? ([[t.booking, p.cancelsId]] as const) : []),
    [p.sale ? t.sale : p.claim ? t.claim : t.line, subjectOf(p, strings)],
    [p.buyer ? t.price : t.amount, <Amount key="amount" value={p.amount} />],
    ...(p.buyer
      ? ([
          [t.package, String(p.package)],
          [t.buyer, p.buyer],
          [t.payer, p.payer],
          [t.takes, <LevelIncomesTaken key="takes" of={p} none={t.takesNothing} />],
        ] as const)
      : []),
    ...(p.warning
      ? ([
          [t.lineHas, <Amount key="has" value={p.lineHas} />],
          [t.missing, <Amount key="missing" value={p.missing} />],
        ] as const)
      : []),
    ...(p.kind === 'recall' ? [] : ([[t.day, formatDay(p.day)]] as const)),
    [t.reference, p.reference],
    [t.proposedBy, p.proposedBy],
    [closes.proposedAt, formatMoment(p.proposedAt, zone())],
    ...(p.evidence
      ? ([[t.evidence, <Exact key="file" text={`SHA-256 ${p.evidence}`} />]] as const)
      : []),
    [t.details, <Signed key="signed" payload={p.payload} digest={p.digest} />],
  ]
}

/** The server's warning about an unusual proposal. */
export const Warning = ({ of }: { of: Proposal }) => (
  <strong className={styles.warning}>{serverText(of.warning, of)}</strong>
)

/** The level incomes that a chargeback takes back, as known at the proposal. */
const LevelIncomesTaken = ({ of, none }: { of: Proposal; none: string }) =>
  of.takes.length === 0
    ? none
    : of.takes.map(({ uid, amount }) => <Exact key={uid} text={`${uid}: ${formatMoney(amount)}`} />)

/** The decision names the digest that the operator has seen. */
export function decide(p: Proposal, approve: boolean, strings: ConsoleStrings): Act {
  const { trading: t, console } = strings
  const words = approve
    ? p.kind === 'recall' || p.kind === 'cancel'
      ? t.approveNow
      : t.approve
    : p.own
      ? t.withdraw
      : t.refuse
  const why: ActField = { name: 'reason', label: console.act.reason, kind: 'area' }
  return {
    ...words,
    facts: seen(p, strings),
    ...(!approve && !p.own && { fields: [why] }),
    call: ({ reason = '' }, key) =>
      answerOf(
        operatorApi.POST('/api/operator/booking/decide', {
          body: { id: p.id, digest: p.digest, approve, reason },
          ...underKey(key),
        }),
      ),
  }
}
