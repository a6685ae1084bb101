import { Amount } from '@/components/Amount.tsx'
import type { Act, ActField } from '@/components/console/ActDialog.tsx'
import { Exact, Signed } from '@/components/console/Exact.tsx'
import type { BulkAct } from '@/components/console/queue/Bulk.tsx'
import { type KeyedAct, queueScreen, stateFilter } from '@/components/console/queue/Queue.tsx'
import { dateColumn, moneyColumn, statusColumn, textColumn } from '@/components/table/columns.tsx'
import { answerOf, listOf } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import { formatMoment, zone } from '@/lib/dates.ts'
import { formatMoney } from '@/lib/money.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import type { ConsoleStrings } from '@/lib/strings/console.ts'
import { named } from '@/lib/strings/named.ts'
import { rejectionReasons } from './reasons.ts'

type Row = components['schemas']['OperatorWithdrawalRow']
type Texts = ConsoleStrings['requests']

const STATES = ['Pending', 'Approved', 'Sent', 'Confirmed', 'Rejected', 'Cancelled'] as const
const BAD: readonly string[] = ['Rejected', 'Cancelled']
const OPEN: readonly string[] = ['Pending', 'Approved', 'Sent']

/** The approvals so far, and how many are needed. */
function approvals(row: Row, t: Texts): string {
  const names = [row.firstBy, row.secondBy].filter((name) => name !== '')
  const wanted = row.needsTwo ? 2 : 1
  return [t.approvals({ given: names.length, wanted }), ...names].join(' · ')
}

/** Members' withdrawals. */
export const Component = queueScreen<Row>({
  name: 'withdrawals',
  // The oldest open withdrawal is first; finished ones are listed newest first.
  call: (query) =>
    listOf(
      operatorApi.GET('/api/operator/withdrawals', {
        params: { query: { ...query, sort: OPEN.includes(query.state ?? '') ? 'id' : '-id' } },
      }),
    ),
  empty: (s) => s.requests.noWithdrawals,
  filters: ({ requests: t, filters }) => [
    stateFilter(STATES, t, filters.all),
    { kind: 'text', name: 'uid', label: t.userId, most: 15 },
  ],
  columns: ({ requests: t, console: { codes } }) => [
    textColumn(t.userId, (r) => `${r.uid} ${r.name}`, { narrow: true }),
    moneyColumn(t.amount, (r) => r.Request_amount),
    moneyColumn(t.net, (r) => r.amount),
    textColumn(t.wallet, (r) => named(codes, r.Wtype), { narrow: true }),
    textColumn(t.approvalsHead, (r) => approvals(r, t), { narrow: true }),
    statusColumn(
      t.state,
      (r) => t.states[r.ss],
      (r) => (r.ss === 'Pending' ? undefined : !BAD.includes(r.ss)),
    ),
    dateColumn(t.requested, (r) => r.rd),
  ],
  facts: (r, { requests: t, console: { codes } }) => [
    [t.amount, <Amount key="amount" value={r.Request_amount} />],
    [t.charge, <Amount key="charge" value={r.admincharge} />],
    [t.net, <Amount key="net" value={r.amount} />],
    [t.wallet, named(codes, r.Wtype)],
    [t.address, r.address],
    [t.state, t.states[r.ss]],
    [t.approvalsHead, approvals(r, t)],
    ...(r.ready ? ([[t.ready, formatMoment(r.ready, zone())]] as const) : []),
    ...(r.hash ? ([[t.hash, r.hash]] as const) : []),
    ...(r.batch ? ([[t.batch, r.batch]] as const) : []),
    ...(r.decidedBy ? ([[t.decidedBy, r.decidedBy]] as const) : []),
    ...(r.remark ? ([[t.remark, r.remark]] as const) : []),
  ],
  acts: actsOn,
  bulk: (strings) => [together('approve', strings), together('reject', strings)],
})

/** Several at once. Above the limit each needs two operators and its own decision. */
function together(name: 'approve' | 'reject', strings: ConsoleStrings): BulkAct<Row> {
  const { requests: t } = strings
  return {
    title: name === 'approve' ? t.approveWithdrawals : t.rejectWithdrawals,
    text: name === 'approve' ? t.approveWithdrawalsText : t.steps.reject.text,
    confirm: t[name],
    optional: name === 'approve',
    ...(name === 'reject' && { templates: rejectionReasons(strings) }),
    except: (r) => (r.ss !== 'Pending' ? t.decidedAlready : r.needsTwo ? t.aboveLimit : ''),
    line: (r) => [formatMoney(r.amount), `${r.name} (${r.uid})`, r.address].join(' · '),
    amount: (r) => r.amount,
    call: ({ id }, remark, key) =>
      answerOf(
        operatorApi.POST(`/api/operator/withdrawals/${name}`, {
          body: { id, ...(remark && { remark }) },
          ...underKey(key),
        }),
      ),
  }
}

function actsOn(row: Row, strings: ConsoleStrings): KeyedAct[] {
  const { requests: t, trading } = strings
  const remark: ActField = { name: 'remark', label: t.remarkTold, kind: 'area' }
  const facts = [
    [t.net, formatMoney(row.amount)],
    [t.address, row.address],
    [t.approvalsHead, approvals(row, t)],
    ...(row.hash ? ([[t.hash, <Exact key="hash" text={row.hash} />]] as const) : []),
    ...(row.payload
      ? ([
          [trading.details, <Signed key="signed" payload={row.payload} digest={row.digest} />],
        ] as const)
      : []),
  ] as const
  type Step = 'approve' | 'reject' | 'sent' | 'failed' | 'confirm'
  const step = (key: string, name: Step, fields: readonly ActField[]): KeyedAct => {
    const act: Act = {
      title: t.steps[name].title,
      text: t.steps[name].text,
      facts,
      fields,
      confirm: t.steps[name].confirm,
      done: t.steps[name].done,
      call: ({ remark = '', hash = '' }, underThis) =>
        answerOf(
          operatorApi.POST(`/api/operator/withdrawals/${name}`, {
            body: {
              id: row.id,
              ...(remark && { remark }),
              ...(hash && { hash }),
              // The second of two operators names the digest of what the first approved.
              ...(name === 'approve' && row.digest && { digest: row.digest }),
            },
            ...underKey(underThis),
          }),
        ),
    }
    return { key, act }
  }
  const approve = step('a', 'approve', [{ ...remark, optional: true }])
  const reject = step('r', 'reject', [
    { ...remark, oneLine: true, templates: rejectionReasons(strings) },
  ])
  const sent = step('s', 'sent', [{ name: 'hash', label: t.hash, most: 100 }])
  const states: Partial<Record<Row['ss'], KeyedAct[]>> = {
    Pending: row.mine ? [reject] : [approve, reject],
    Approved: [sent, reject],
    Sent: [step('c', 'confirm', []), step('f', 'failed', [remark])],
  }
  // One in a batch is noted there: the server refuses it here.
  return row.batch === '' || row.ss === 'Pending' ? (states[row.ss] ?? []) : []
}
