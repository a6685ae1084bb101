import {
  type Column,
  dateColumn,
  moneyColumn,
  statusColumn,
  textColumn,
} from '@/components/table/columns.tsx'
import type { Report } from '@/components/table/ReportScreen.tsx'
import { listOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { fundName } from '@/lib/funds.ts'
import type { MemberStrings } from '@/lib/strings/member.ts'
import { serverText } from '@/lib/strings/serverText.ts'
import styles from './Funds.module.css'

type Row = components['schemas']['FundRequestRow']

/** This code lists requests by bank; any other those by USDT. */
const BY_BANK = 2
const BY_USDT = 1

const withNumber = (column: Column<Row>, t: MemberStrings['funds']): Column<Row> => ({
  ...column,
  cell: (row) => (
    <>
      {column.cell(row)}
      <span className={styles.number}>{t.requestNo({ id: row.id })}</span>
    </>
  ),
})

/** The fund requests of one way of payment, with their states. */
const fate = ({ funds: t }: MemberStrings): Column<Row>[] => [
  statusColumn(
    t.status,
    (row) => row.st,
    (row) => row.st !== 'Pending',
    { sort: 'st' },
  ),
  textColumn(t.remark, (row) => serverText(row.remark, row.remarkText), { wrap: true }),
  // Mails name a request by its number.
  withNumber(
    dateColumn(t.requestedDate, (row) => row.requestedDate, { sort: 'requestedDate' }),
    t,
  ),
  dateColumn(t.approveDate, (row) => row.approveDate, { sort: 'approveDate' }),
]

const list = (action: number, columns: (s: MemberStrings) => Column<Row>[]): Report<Row> => ({
  name: `FundRequestHistory ${action}`,
  file: { report: 'FundRequestHistory', type: String(action) },
  call: (query) => listOf(api.POST('/api/FundRequestHistory', { body: { ...query, action } })),
  rowKey: ({ id }) => id,
  empty: (s) => s.funds.noRequests,
  columns: (s) => [...columns(s), ...fate(s)],
})

export const usdtRequests = list(BY_USDT, (s) => [
  moneyColumn(s.funds.amount, (row) => row.amount, { sort: 'amount' }),
  textColumn(s.funds.fundType, (row) => fundName(row.FundType, s)),
  textColumn(s.funds.transactionNumber, (row) => row.utrno, {
    clip: true,
    sort: 'utrno',
  }),
])

/** For members with an own address: payments to it need no request. */
export const ownRequests: Report<Row> = {
  ...usdtRequests,
  empty: (s) => s.deposit.ownRequests,
}

export const bankRequests = list(BY_BANK, ({ funds: t }) => [
  moneyColumn(t.amount, (row) => row.amount, { sort: 'amount' }),
  textColumn(t.utr, (row) => row.utrno, { sort: 'utrno' }),
  textColumn(t.bank, (row) => row.bankname),
  textColumn(t.holder, (row) => row.acholdername),
  textColumn(t.account, (row) => row.accountnumber),
  textColumn(t.ifsc, (row) => row.ifsc),
  textColumn(t.branch, (row) => row.branch),
])
