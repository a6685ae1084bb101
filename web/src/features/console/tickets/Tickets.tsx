import type { ActField } from '@/components/console/ActDialog.tsx'
import { type KeyedAct, queueScreen, stateFilter } from '@/components/console/queue/Queue.tsx'
import { StatusBadge } from '@/components/StatusBadge.tsx'
import { dateColumn, statusColumn, textColumn } from '@/components/table/columns.tsx'
import { answerOf, listOf } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import { formatMoment, zone } from '@/lib/dates.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import type { ConsoleStrings } from '@/lib/strings/console.ts'
import styles from './Tickets.module.css'
import { TicketThread } from './TicketThread.tsx'
import { templatesOf } from './templates.ts'

type Row = components['schemas']['OperatorTicketRow']
type Texts = ConsoleStrings['tickets']

const STATES = ['waiting', 'open', 'replied', 'closed'] as const
const KINDS = ['query', 'complaint'] as const
const MOST = 4000

/** Members' questions: complaints by due date first, then the others by age. */
export const Component = queueScreen<Row>({
  name: 'tickets',
  right: 'support',
  call: (query) => listOf(operatorApi.GET('/api/operator/tickets', { params: { query } })),
  empty: (s) => s.tickets.empty,
  partial: (s) => s.tickets.partial,
  filters: ({ tickets: t, filters }) => [
    stateFilter(STATES, t, filters.all),
    {
      kind: 'select',
      name: 'kind',
      label: t.kind,
      options: [
        { value: '', label: filters.all },
        ...KINDS.map((kind) => ({ value: kind, label: t.kinds[kind] })),
      ],
    },
    {
      kind: 'select',
      name: 'overdue',
      label: t.due,
      options: [
        { value: '', label: filters.all },
        { value: 'true', label: t.onlyOverdue },
      ],
    },
    { kind: 'text', name: 'q', label: t.search, most: 100 },
  ],
  columns: ({ tickets: t }) => [
    textColumn(t.number, (r) => r.id),
    { header: t.due, cell: (r) => <Due row={r} t={t} /> },
    textColumn(t.kind, (r) => t.kinds[r.kind]),
    textColumn(t.member, (r) => `${r.uid} ${r.name}`, { clip: true }),
    { header: t.query, cell: (r) => <bdi className={styles.cut}>{r.query}</bdi> },
    statusColumn(
      t.state,
      (r) => t.states[r.status],
      (r) => r.status !== 'open',
    ),
    textColumn(t.assignee, (r) => r.assignee),
    dateColumn(t.asked, (r) => r.asked),
  ],
  facts: (r, { tickets: t }) => [
    [t.kind, t.kinds[r.kind]],
    [t.state, t.states[r.status]],
    ...(r.dueFor ? ([[t.dueFor[r.dueFor], <Due key="due" row={r} t={t} />]] as const) : []),
    [t.assignee, r.assignee || t.nobody],
    ...(r.answered ? ([[t.answered, formatMoment(r.answered, zone())]] as const) : []),
    ...(r.closed ? ([[t.closedAt, formatMoment(r.closed, zone())]] as const) : []),
  ],
  more: ({ id, seen }) => <TicketThread id={id} seen={seen} />,
  acts: actsOn,
})

function Due({ row, t }: { row: Row; t: Texts }) {
  if (row.due === '') return t.noDeadline
  return (
    <span className={styles.due}>
      <time dateTime={row.due}>{formatMoment(row.due, zone())}</time>
      {row.overdue && <StatusBadge word={t.overdue} good={false} />}
    </span>
  )
}

function actsOn(row: Row, strings: ConsoleStrings): KeyedAct[] {
  const { tickets: t } = strings
  const step = (
    key: string,
    name: keyof Texts['steps'],
    fields: readonly ActField[] = [],
  ): KeyedAct => ({
    key,
    act: {
      ...t.steps[name],
      facts: [[t.number, `${row.id} · ${row.name}`]],
      fields,
      call: ({ reply = '', reason = '' }, underThis) =>
        answerOf(
          operatorApi.POST(`/api/operator/tickets/${name}`, {
            body: {
              id: row.id,
              seen: row.seen,
              ...(reply && { reply }),
              ...(reason && { reason }),
            },
            ...underKey(underThis),
          }),
        ),
    },
  })
  if (row.status === 'closed') {
    return [step('o', 'reopen', [{ name: 'reason', label: t.why }])]
  }
  const reply: ActField = { name: 'reply', label: t.reply, kind: 'area', most: MOST }
  return [
    step('a', 'answer', [{ ...reply, templates: templatesOf(strings) }]),
    ...(row.mine ? [] : [step('m', 'assign')]),
    ...(row.kind === 'query' ? [step('p', 'complaint')] : []),
    ...(row.answered ? [step('c', 'close')] : []),
  ]
}
