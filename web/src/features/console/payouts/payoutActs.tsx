import { Amount } from '@/components/Amount.tsx'
import type { Act, ActField } from '@/components/console/ActDialog.tsx'
import { Signed } from '@/components/console/Exact.tsx'
import type { BulkAct } from '@/components/console/queue/Bulk.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import { formatMoney } from '@/lib/money.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { saveFile } from '@/lib/save.ts'
import type { ConsoleStrings } from '@/lib/strings/console.ts'

export type BatchRow = components['schemas']['BatchRow']
export type Batch = components['schemas']['BatchAnswer']
export type PayoutRow = components['schemas']['PayoutRow']
export type Chain = components['schemas']['ChainAnswer']

/** Creates a batch of the given withdrawals, or of all that are payable. */
export function propose(
  ids: readonly string[],
  sum: string,
  hot: boolean,
  { payouts: t }: ConsoleStrings,
): Act {
  const ways = hot ? (['hot', 'manual'] as const) : (['manual'] as const)
  const way: ActField = {
    name: 'way',
    label: t.way,
    kind: 'select',
    options: ways.map((name) => ({ value: name, label: t.ways[name] })),
  }
  return {
    ...t.steps.propose,
    facts: [
      [t.withdrawals, ids.length > 0 ? ids.join(', ') : t.allThatMayLeave],
      ...(ids.length > 0 ? ([[t.total, <Amount key="total" value={sum} />]] as const) : []),
    ],
    fields: [way],
    call: ({ way = 'manual' }, key) =>
      answerOf(
        operatorApi.POST('/api/operator/payouts/propose', {
          body: { way, ...(ids.length > 0 && { withdrawals: [...ids] }) },
          ...underKey(key),
        }),
      ),
  }
}

/** The part of a batch that was confirmed by hand, and the operators who did. */
export const byHandOf = ({ byHand }: Batch, t: ConsoleStrings['payouts']): string =>
  byHand.operators.length === 0
    ? t.byHandNone
    : `${formatMoney(byHand.amount)}: ${byHand.operators
        .map(({ names, amount }) => t.byHandOf({ amount: formatMoney(amount), names }))
        .join('; ')}`

/** The acts that the batch's state allows. */
export function batchActs(batch: Batch, { payouts: t, trading }: ConsoleStrings): Act[] {
  const facts = [
    [t.batch, String(batch.id)],
    [t.way, t.ways[batch.way]],
    [t.count, String(batch.payouts)],
    [t.total, <Amount key="total" value={batch.total} />],
  ] as const
  const { id, state, way, payload, digest } = batch
  const running = state === 'proposed' || state === 'approved'
  const listed = state === 'approved' && way === 'manual'
  const approve: Act = {
    ...t.steps.approve[way],
    // The approval names the digest that the operator has seen.
    facts: [
      ...facts,
      [t.byHand, byHandOf(batch, t)],
      [trading.details, <Signed key="signed" payload={payload} digest={digest} />],
    ],
    call: (_, key) =>
      answerOf(
        operatorApi.POST('/api/operator/payouts/approve', {
          body: { batch: id, digest },
          ...underKey(key),
        }),
      ),
  }
  const cancel: Act = {
    ...t.steps.cancel,
    facts,
    call: (_, key) =>
      answerOf(
        operatorApi.POST('/api/operator/payouts/cancel', { body: { batch: id }, ...underKey(key) }),
      ),
  }
  return [
    ...(state === 'proposed' ? [approve] : []),
    ...(listed ? [exporting(id, facts, t), importing(id, facts, t)] : []),
    ...(running && batch.exported_at === '' ? [cancel] : []),
  ]
}

type Texts = ConsoleStrings['payouts']

const exporting = (batch: number, facts: NonNullable<Act['facts']>, t: Texts): Act => ({
  ...t.steps.export,
  facts,
  call: async (_, key) => {
    const { data } = await answerOf(
      operatorApi.POST('/api/operator/payouts/export', { body: { batch }, ...underKey(key) }),
    )
    saveFile(data.name, new Blob([data.csv], { type: 'text/csv' }))
  },
})

const importing = (batch: number, facts: NonNullable<Act['facts']>, t: Texts): Act => ({
  ...t.steps.import,
  facts,
  fields: [{ name: 'csv', label: t.file, kind: 'file' }],
  call: ({ csv = '' }, key) =>
    answerOf(
      operatorApi.POST('/api/operator/payouts/import', { body: { batch, csv }, ...underKey(key) }),
    ),
})

/** Whether operators confirm a payout: it was sent by hand, and no chain confirms it. */
const confirmable = (batch: BatchRow, row: PayoutRow, chain: Chain | undefined) =>
  batch.way === 'manual' && row.state === 'sent' && chain?.configured === false

/** Confirms several payouts of a batch. */
export const confirmPayouts = (
  batch: BatchRow,
  chain: Chain | undefined,
  { payouts: t, requests }: ConsoleStrings,
): BulkAct<PayoutRow> => ({
  title: t.confirmSeveral,
  text: t.steps.confirm.text,
  confirm: requests.confirm,
  wordless: true,
  optional: true,
  except: (row) => (confirmable(batch, row, chain) ? '' : t.notConfirmable),
  line: (row) => [formatMoney(row.amount), row.uid, row.hash].filter(Boolean).join(' · '),
  amount: (row) => row.amount,
  call: ({ id }, _, key) =>
    answerOf(
      operatorApi.POST('/api/operator/payouts/confirm', {
        body: { batch: batch.id, id },
        ...underKey(key),
      }),
    ),
})

/** The acts on one payout of a batch. */
export function payoutActs(
  batch: BatchRow,
  row: PayoutRow,
  chain: Chain | undefined,
  { payouts: t }: ConsoleStrings,
): Act[] {
  const act = (name: 'confirm' | 'replace' | 'return', fields: readonly ActField[] = []): Act => ({
    ...t.steps[name],
    facts: [
      [t.withdrawal, row.id],
      [t.amount, <Amount key="amount" value={row.amount} />],
      [t.address, row.address],
      ...(row.hash ? ([[t.hash, row.hash]] as const) : []),
    ],
    fields,
    call: ({ reason = '' }, key) =>
      answerOf(
        operatorApi.POST(`/api/operator/payouts/${name}`, {
          body: { batch: batch.id, id: row.id, ...(reason && { reason }) },
          ...underKey(key),
        }),
      ),
  })
  const manual = batch.way === 'manual'
  const onItsWay = row.state === 'signed' || row.state === 'sent'
  const unpaid = row.state === 'failed' || (row.state === 'waiting' && batch.exported_at !== '')
  return [
    ...(confirmable(batch, row, chain) ? [act('confirm')] : []),
    ...(!manual && onItsWay ? [act('replace')] : []),
    ...(unpaid ? [act('return', [{ name: 'reason', label: t.howKnown, most: 150 }])] : []),
  ]
}
