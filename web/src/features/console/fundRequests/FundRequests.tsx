import { Amount } from '@/components/Amount.tsx'
import type { Act } from '@/components/console/ActDialog.tsx'
import { Signed } from '@/components/console/Exact.tsx'
import type { BulkAct } from '@/components/console/queue/Bulk.tsx'
import { queueScreen, stateFilter } from '@/components/console/queue/Queue.tsx'
import {
  dateColumn,
  moneyColumn,
  statusColumn,
  termColumn,
  textColumn,
} from '@/components/table/columns.tsx'
import { answerOf, listOf } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import { formatMoment, zone } from '@/lib/dates.ts'
import { formatMoney } from '@/lib/money.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import type { ConsoleStrings } from '@/lib/strings/console.ts'
import { named } from '@/lib/strings/named.ts'
import { serverText, term } from '@/lib/strings/serverText.ts'
import { Claimants } from './Claimants.tsx'
import { rejectionReasons } from './reasons.ts'

type Row = components['schemas']['OperatorFundRow']

const STATES = ['Pending', 'Approved', 'Rejected'] as const

/** Members' reports of payments; operators approve or reject them. */
export const Component = queueScreen<Row>({
  name: 'fundRequests',
  // The oldest request is decided first; decided requests are listed newest first.
  call: (query) =>
    listOf(
      operatorApi.GET('/api/operator/fundRequests', {
        params: { query: { ...query, sort: query.state === 'Pending' ? 'id' : '-id' } },
      }),
    ),
  empty: (s) => s.requests.noFunds,
  filters: ({ requests: t, filters }) => [
    stateFilter(STATES, t, filters.all),
    {
      kind: 'select',
      name: 'usertype',
      label: t.way,
      options: [
        { value: '', label: filters.all },
        { value: 'BANK', label: t.bank },
        { value: 'USDT (BEP-20)', label: 'USDT (BEP-20)' },
      ],
    },
    { kind: 'text', name: 'uid', label: t.userId, most: 15 },
  ],
  columns: ({ requests: t, console: { codes } }) => [
    textColumn(t.userId, (r) => `${r.uid} ${r.name}`, { narrow: true }),
    moneyColumn(t.amount, (r) => r.amount),
    textColumn(t.fund, (r) => named(codes, r.FundType), { narrow: true }),
    termColumn(t.way, (r) => r.usertype, { narrow: true }),
    textColumn(t.transaction, (r) => r.utrno, { clip: true }),
    textColumn(t.verdict, (r) => chainSays(r, t), { narrow: true }),
    statusColumn(
      t.state,
      (r) => (r.st === 'Pending' && r.needsTwo ? given(r, t) : t.states[r.st]),
      (r) => (r.st === 'Pending' ? undefined : r.st === 'Approved'),
    ),
    dateColumn(t.requested, (r) => r.requestedDate),
  ],
  facts: (r, { requests: t, console: { codes } }) => [
    [t.amount, <Amount key="amount" value={r.amount} />],
    [t.fund, named(codes, r.FundType)],
    [t.way, term(r.usertype)],
    [t.paidInto, paidInto(r)],
    [t.transaction, r.utrno],
    ...chain(r, t),
    [t.requested, formatMoment(r.requestedDate, zone())],
    [t.state, t.states[r.st]],
    ...(r.claims > 1 ? ([[t.claims, String(r.claims)]] as const) : []),
    ...(r.needsTwo ? ([[t.approvalsHead, approvals(r, t)]] as const) : []),
    ...(r.decidedBy ? ([[t.decidedBy, term(r.decidedBy)]] as const) : []),
    ...(r.remark ? ([[t.remark, serverText(r.remark, r.remarkText)]] as const) : []),
  ],
  acts: (row, strings) =>
    row.st === 'Pending'
      ? [
          ...(row.mine ? [] : [{ key: 'a', act: decide(row, true, strings) }]),
          { key: 'r', act: decide(row, false, strings) },
        ]
      : row.st === 'Rejected' && !row.released
        ? [{ key: 'l', act: release(row, strings) }]
        : [],
  compare: (row) => row.claims > 1 && <Claimants number={row.utrno} />,
  bulk: (strings) => [together(true, strings), together(false, strings)],
})

/** The chain has no verdict on bank payments. */
const chainSays = (r: Row, t: ConsoleStrings['requests']) =>
  serverText(r.verdict, r.verdictText) ||
  (r.usertype === 'BANK' ? '' : r.checked ? t.noVerdict : t.notChecked)

const chain = (r: Row, t: ConsoleStrings['requests']) =>
  chainSays(r, t) === '' ? [] : ([[t.verdict, chainSays(r, t)]] as const)

/** The receiving account that the member named, to look the payment up in a statement. */
const paidInto = ({ usertype, bankname, accountnumber }: Row) =>
  (usertype === 'BANK' ? [bankname, accountnumber] : [accountnumber])
    .filter((part) => part !== '')
    .join(' · ')

/** Above the limit a request needs two operators. */
const approvers = ({ st, firstBy, decidedBy }: Row) =>
  [firstBy, st === 'Approved' ? decidedBy : ''].filter((name) => name !== '')

const given = (row: Row, t: ConsoleStrings['requests']) =>
  t.approvals({ given: approvers(row).length, wanted: 2 })

const approvals = (row: Row, t: ConsoleStrings['requests']) =>
  [given(row, t), ...approvers(row)].join(' · ')

/** Several at once. A payment on the chain can be approved only once the chain has a verdict. */
function together(approve: boolean, strings: ConsoleStrings): BulkAct<Row> {
  const { requests: t } = strings
  return {
    title: approve ? t.approveFunds : t.rejectFunds,
    text: approve ? t.approveFundsText : t.rejectFundText,
    confirm: approve ? t.approve : t.reject,
    optional: approve,
    ...(!approve && { templates: rejectionReasons(strings) }),
    except: (r) =>
      r.st !== 'Pending'
        ? t.decidedAlready
        : approve && r.claims > 1
          ? t.severalClaims
          : approve && r.needsTwo
            ? t.aboveLimit
            : approve && r.checked && r.verdict === ''
              ? t.noVerdictYet
              : '',
    line: (r) => [formatMoney(r.amount), `${r.name} (${r.uid})`, r.utrno].join(' · '),
    amount: (r) => r.amount,
    call: (row, remark, key) => send(row, approve, remark, key),
  }
}

/** The second operator names the digest of what the first approved. */
const send = ({ id, digest }: Row, approve: boolean, remark: string, key: string) =>
  answerOf(
    operatorApi.POST(
      approve ? '/api/operator/fundRequests/approve' : '/api/operator/fundRequests/reject',
      { body: { id, remark, ...(approve && digest && { digest }) }, ...underKey(key) },
    ),
  )

/** The effect of an approval: the first of two credits nothing. */
function approveText(
  { amount, uid, name, needsTwo, firstBy, claims }: Row,
  t: ConsoleStrings['requests'],
) {
  if (needsTwo && firstBy === '')
    return t.approveFundFirst({ amount: formatMoney(amount), uid, name })
  const text = t.approveFundText({ amount: formatMoney(amount), uid, name })
  return claims > 1 ? `${text} ${t.othersRejected({ count: claims - 1 })}` : text
}

/** After a rejection for a wrong number the member may use that number again. */
const release = (row: Row, { requests: t }: ConsoleStrings): Act => ({
  title: t.releaseFund,
  text: t.releaseFundText({ uid: row.uid }),
  facts: [[t.transaction, row.utrno]],
  fields: [{ name: 'remark', label: t.releaseReason, kind: 'area', oneLine: true }],
  confirm: t.release,
  done: t.released,
  call: ({ remark = '' }, key) =>
    answerOf(
      operatorApi.POST('/api/operator/fundRequests/release', {
        body: { id: row.id, remark },
        ...underKey(key),
      }),
    ),
})

function decide(row: Row, approve: boolean, strings: ConsoleStrings): Act {
  const { requests: t, trading } = strings
  return {
    title: approve ? t.approveFund : t.rejectFund,
    text: approve ? approveText(row, t) : t.rejectFundText,
    facts: [
      [t.paidInto, paidInto(row)],
      [t.transaction, row.utrno],
      ...chain(row, t),
      ...(row.payload
        ? ([
            [t.approvalsHead, approvals(row, t)],
            [trading.details, <Signed key="signed" payload={row.payload} digest={row.digest} />],
          ] as const)
        : []),
    ],
    fields: [
      {
        name: 'remark',
        label: t.remarkTold,
        kind: 'area',
        optional: approve,
        ...(!approve && { oneLine: true, templates: rejectionReasons(strings) }),
      },
    ],
    confirm: approve ? t.approveOne : t.rejectOne,
    done: approve ? t.approved : t.rejected,
    call: ({ remark = '' }, key) => send(row, approve, remark, key),
  }
}
