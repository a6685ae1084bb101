import { Amount } from '@/components/Amount.tsx'
import type { Act, ActField } from '@/components/console/ActDialog.tsx'
import { Exact } from '@/components/console/Exact.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import type { ConsoleStrings } from '@/lib/strings/console.ts'
import { serverText } from '@/lib/strings/serverText.ts'

export type Hold = components['schemas']['PayoutHoldAnswer']
export type FoundRow = components['schemas']['FoundTransferRow']

const why = ({ payouts: t }: ConsoleStrings): ActField => ({
  name: 'reason',
  label: t.hold.reason,
  most: 200,
})

/** Uses up the nonces that lost payments may have. */
export const settle = (hold: Hold, strings: ConsoleStrings): Act => ({
  ...strings.payouts.steps.settle,
  facts: [[strings.payouts.hold.why, serverText(hold.detail, hold)]],
  fields: [why(strings)],
  call: ({ reason = '' }, key) =>
    answerOf(
      operatorApi.POST('/api/operator/payouts/hold/settle', { body: { reason }, ...underKey(key) }),
    ),
})

/** Records that a transfer did not pay the withdrawal that it matches. */
export const dismiss = (hold: number, found: FoundRow, strings: ConsoleStrings): Act => ({
  ...strings.payouts.steps.dismiss,
  facts: [
    [strings.payouts.withdrawal, found.withdrawal],
    [strings.payouts.amount, <Amount key="amount" value={found.amount} />],
    [strings.payouts.hold.from, <Exact key="from" text={found.from} />],
    [strings.payouts.hash, <Exact key="hash" text={found.hash} />],
  ],
  fields: [why(strings)],
  call: ({ reason = '' }, key) =>
    answerOf(
      operatorApi.POST('/api/operator/payouts/hold/dismiss', {
        body: { hold, n: found.n, reason },
        ...underKey(key),
      }),
    ),
})

/** Releases the hold; the call names the digest that the operator has seen. */
export const adopt = (hold: Hold, strings: ConsoleStrings): Act => ({
  ...strings.payouts.steps.adopt,
  facts: [
    [strings.payouts.hold.waiting, String(hold.waiting.length)],
    [strings.payouts.hold.found, String(hold.found.length)],
    [strings.trading.payload, <Exact key="payload" text={hold.payload} />],
    [strings.trading.digest, <Exact key="digest" text={hold.digest} />],
  ],
  fields: [why(strings)],
  call: ({ reason = '' }, key) =>
    answerOf(
      operatorApi.POST('/api/operator/payouts/hold/adopt', {
        body: { reason, digest: hold.digest },
        ...underKey(key),
      }),
    ),
})
