import { Amount } from '@/components/Amount.tsx'
import type { Act } from '@/components/console/ActDialog.tsx'
import type { BulkAct } from '@/components/console/queue/Bulk.tsx'
import { queueScreen, stateFilter } from '@/components/console/queue/Queue.tsx'
import { dateColumn, moneyColumn, statusColumn, textColumn } from '@/components/table/columns.tsx'
import { answerOf, listOf } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import { formatDay } from '@/lib/dates.ts'
import { formatMoney, minus, signOf } from '@/lib/money.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import type { ConsoleStrings } from '@/lib/strings/console.ts'
import { named } from '@/lib/strings/named.ts'

type Row = components['schemas']['OperatorClaimRow']

const STATES = ['Open', 'Funded', 'Claimed'] as const
const LINES = ['FOREX', 'CRYPTO'] as const

/** Matured positions: cash is recalled for each before its member can claim it. */
export const Component = queueScreen<Row>({
  name: 'claims',
  call: (query) => listOf(operatorApi.GET('/api/operator/claims', { params: { query } })),
  empty: (s) => s.claimQueue.empty,
  filters: ({ claimQueue: t, requests, filters, console: { codes } }) => [
    stateFilter(STATES, t, filters.all),
    {
      kind: 'select',
      name: 'line',
      label: t.line,
      options: [
        { value: '', label: filters.all },
        ...LINES.map((line) => ({ value: line, label: named(codes, line) })),
      ],
    },
    { kind: 'text', name: 'uid', label: requests.userId, most: 15 },
    { kind: 'date', name: 'from', label: t.from },
    { kind: 'date', name: 'to', label: t.to, since: 'from' },
  ],
  // The position, and the cash of its line, are beside the list.
  columns: ({ claimQueue: t, requests, console: { codes } }) => [
    textColumn(t.claim, (r) => r.id, { clip: true }),
    textColumn(requests.userId, (r) => `${r.uid} ${r.name}`, { narrow: true }),
    textColumn(t.line, (r) => named(codes, r.line)),
    moneyColumn(t.amount, (r) => r.amount),
    moneyColumn(t.need, (r) => r.need),
    statusColumn(
      t.state,
      (r) => (asked(r) ? t.proposed : t.states[r.state]),
      (r) => (r.state === 'Open' ? undefined : true),
    ),
    dateColumn(t.since, (r) => r.since),
  ],
  facts: (r, { claimQueue: t, console: { codes } }) => [
    [t.line, named(codes, r.line)],
    [t.position, r.position],
    [t.principal, <Amount key="principal" value={r.principal} />],
    [t.income, <Amount key="income" value={r.income} />],
    [t.amount, <Amount key="amount" value={r.amount} />],
    [t.recalled, <Amount key="recalled" value={r.recalled} />],
    [t.need, <Amount key="need" value={r.need} />],
    ...(asked(r) ? ([[t.waiting, <Amount key="waiting" value={r.waiting} />]] as const) : []),
    [t.available, <Amount key="available" value={r.available} />],
    [t.state, t.states[r.state]],
    [t.since, formatDay(r.since)],
    ...(r.taken ? ([[t.taken, formatDay(r.taken)]] as const) : []),
  ],
  acts: (row, strings) =>
    signOf(open(row)) > 0 && row.state === 'Open' ? [{ key: 'r', act: recall(row, strings) }] : [],
  bulk: (strings) => [recallSeveral(strings)],
})

/** Whether a recall for the claim waits for its approval. */
const asked = ({ waiting }: Row) => signOf(waiting) > 0

/** The cash that no recall asks for yet. */
const open = ({ need, waiting }: Row) => minus(need, waiting)

/** Recalls the open cash of several claims; each is a proposal. */
function recallSeveral({ trading: t, claimQueue, requests }: ConsoleStrings): BulkAct<Row> {
  return {
    title: claimQueue.recallSeveral,
    text: claimQueue.recallSeveralText,
    confirm: claimQueue.recall,
    label: t.reference,
    optional: true,
    except: (r) =>
      r.state !== 'Open' ? claimQueue.funded : signOf(open(r)) > 0 ? '' : claimQueue.askedFor,
    line: (r) =>
      [formatMoney(open(r)), `${r.name} (${r.uid})`, requests.number({ id: r.id })].join(' · '),
    amount: open,
    call: (row, reference, key) =>
      answerOf(
        operatorApi.POST('/api/operator/recall', {
          body: { claim: row.id, amount: open(row), reference },
          ...underKey(key),
        }),
      ),
  }
}

/** The recall of the trading screen, with the claim and the needed amount filled in. */
function recall(row: Row, { trading: t, claimQueue }: ConsoleStrings): Act {
  return {
    ...t.acts.recall,
    facts: [
      [claimQueue.need, <Amount key="need" value={row.need} />],
      [claimQueue.available, <Amount key="available" value={row.available} />],
    ],
    fields: [
      { name: 'amount', label: t.amount, most: 20, initial: open(row) },
      { name: 'claim', label: t.claim, most: 60, initial: row.id },
      { name: 'reference', label: t.reference, most: 200, optional: true },
    ],
    done: t.proposed,
    call: ({ claim = '', amount = '', reference = '' }, key) =>
      answerOf(
        operatorApi.POST('/api/operator/recall', {
          body: { claim, amount, reference },
          ...underKey(key),
        }),
      ),
  }
}
