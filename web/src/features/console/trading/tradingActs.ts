import type { Act, ActField } from '@/components/console/ActDialog.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import { exactMoney } from '@/lib/money.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import type { ConsoleStrings } from '@/lib/strings/console.ts'
import { named } from '@/lib/strings/named.ts'

const LINES = ['FOREX', 'CRYPTO'] as const

/** Uploads a file; the booking names its hash. */
async function sendEvidence(file: File): Promise<string> {
  const { data } = await answerOf(
    operatorApi.POST('/api/operator/evidence', {
      params: { query: { name: file.name } },
      // The contract describes a file as text.
      body: file as unknown as string,
      bodySerializer: (body) => body,
      headers: { 'Content-Type': 'application/octet-stream' },
    }),
  )
  return data.hash
}

/** The bookings that can be proposed by hand, each with its fields; all need a second operator. */
export function bookings({ trading: t, console: { codes } }: ConsoleStrings): Act[] {
  const amount: ActField = { name: 'amount', label: t.amount, most: 20 }
  const reference: ActField = { name: 'reference', label: t.reference, most: 200 }
  const evidence: ActField = {
    name: 'evidence',
    label: t.evidence,
    kind: 'file',
    optional: true,
    upload: sendEvidence,
  }
  const line: ActField = {
    name: 'line',
    label: t.line,
    kind: 'select',
    options: LINES.map((name) => ({ value: name, label: named(codes, name) })),
  }
  const onLine = (path: '/api/operator/pnl' | '/api/operator/settle', name: 'pnl' | 'settle') =>
    ({
      ...t.acts[name],
      fields: [
        line,
        { ...amount, label: name === 'pnl' ? t.signed : t.amount },
        reference,
        evidence,
      ],
      done: t.proposed,
      call: ({ line = '', amount = '', reference = '', evidence = '' }, key: string) =>
        answerOf(
          operatorApi.POST(path, {
            body: { line, amount, reference, ...(evidence && { evidence }) },
            ...underKey(key),
          }),
        ),
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
      done: t.proposed,
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
      fields: [{ name: 'sale', label: t.sale, most: 40 }, reference, evidence],
      done: t.proposed,
      call: ({ sale = '', reference = '', evidence = '' }, key) =>
        answerOf(
          operatorApi.POST('/api/operator/chargeback', {
            body: { sale, reference, ...(evidence && { evidence }) },
            ...underKey(key),
          }),
        ),
    },
  ]
}

export type Booking = components['schemas']['BookingRow']

/** The subject of a booking or a proposal as a text. */
export function subjectOf(
  { sale, line, claim = '' }: { sale: string; line: string; claim?: string },
  { console: { codes } }: ConsoleStrings,
): string {
  const name = named(codes, line)
  return sale || (claim ? `${claim} · ${name}` : name)
}

/** Proposes to cancel a booking that no close has processed. */
export const cancel = (row: Booking, strings: ConsoleStrings): Act => {
  const { trading: t, console } = strings
  return {
    ...t.cancel,
    facts: [
      [t.kind, t.kinds[row.kind]],
      [row.sale ? t.sale : t.line, subjectOf(row, strings)],
      [t.amount, exactMoney(row.amount)],
      [t.reference, row.reference],
    ],
    fields: [{ name: 'reason', label: console.act.reason, kind: 'area' }],
    call: ({ reason = '' }, key) =>
      answerOf(
        operatorApi.POST('/api/operator/booking/cancel', {
          body: { booking: row.id, reason },
          ...underKey(key),
        }),
      ),
  }
}
