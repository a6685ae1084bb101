import type { Act, ActField } from '@/components/ActDialog.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import { underKey } from '@/lib/api/submit.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import type { Strings } from '@/lib/strings/index.ts'

const LINES = ['FOREX', 'CRYPTO'] as const

/** What can be booked by hand, each with what it asks for. */
export function bookings({ trading: t }: Strings): Act[] {
  const amount: ActField = { name: 'amount', label: t.amount, most: 20 }
  const reference: ActField = { name: 'reference', label: t.reference, most: 200 }
  const line: ActField = {
    name: 'line',
    label: t.line,
    kind: 'select',
    options: LINES.map((name) => ({ value: name, label: name })),
  }
  const onLine = (path: '/api/operator/pnl' | '/api/operator/settle', name: 'pnl' | 'settle') =>
    ({
      ...t.acts[name],
      fields: [line, { ...amount, label: name === 'pnl' ? t.signed : t.amount }, reference],
      done: t.booked,
      call: ({ line = '', amount = '', reference = '' }, key: string) =>
        answerOf(operatorApi.POST(path, { body: { line, amount, reference }, ...underKey(key) })),
    }) satisfies Act
  return [
    onLine('/api/operator/pnl', 'pnl'),
    onLine('/api/operator/settle', 'settle'),
    {
      ...t.acts.recall,
      fields: [
        { name: 'claim', label: t.claim, most: 60 },
        amount,
        { ...reference, optional: true },
      ],
      done: t.booked,
      call: ({ claim = '', amount = '', reference = '' }, key) =>
        answerOf(
          operatorApi.POST('/api/operator/recall', {
            body: { claim, amount, reference },
            ...underKey(key),
          }),
        ),
    },
    {
      ...t.acts.chargeback,
      fields: [{ name: 'sale', label: t.sale, most: 40 }, reference],
      done: t.booked,
      call: ({ sale = '', reference = '' }, key) =>
        answerOf(
          operatorApi.POST('/api/operator/chargeback', {
            body: { sale, reference },
            ...underKey(key),
          }),
        ),
    },
  ]
}
