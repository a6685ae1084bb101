import type { ComponentType } from 'react'
import {
  type Column,
  dateColumn,
  moneyColumn,
  numberColumn,
  rateColumn,
  statusColumn,
  termColumn,
  textColumn,
} from '@/components/table/columns.tsx'
import { dateFilters } from '@/components/table/filters.ts'
import { reportScreen } from '@/components/table/ReportScreen.tsx'
import { listOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import type { components } from '@/lib/api/schema.d.ts'
import type { MemberStrings } from '@/lib/strings/member.ts'
import { termList } from '@/lib/strings/serverText.ts'
import styles from './reports.module.css'
import { WhyButton, WhyDrawer } from './WhyDrawer.tsx'

export type Income = components['schemas']['ReportRow']

/** The id that the column asks for, and the name below it. */
function FromId({ id, name }: { id: string; name: string }) {
  return (
    <span className={styles.from}>
      <bdi>{id}</bdi> <bdi className={styles.fromName}>{name}</bdi>
    </span>
  )
}

/** All columns of incomes. Each list picks some. */
const incomeColumns = ({ incomes: t }: MemberStrings) => ({
  userId: textColumn<Income>(t.userId, (x) => x.uid),
  fromId: {
    ...textColumn<Income>(t.fromId, (x) => x.uid),
    cell: ({ uid, f_name: name }: Income) => (name ? <FromId id={uid ?? ''} name={name} /> : uid),
  },
  onAmount: moneyColumn<Income>(t.onAmount, (x) => x.onamount ?? x.On_amount),
  onRate: rateColumn<Income>(t.onRate, (x) => x.onrate),
  level: numberColumn<Income>(t.level, (x) => x.lvl, { sort: 'lvl' }),
  income: moneyColumn<Income>(t.income, (x) => x.income, { sort: 'income' }),
  roi: moneyColumn<Income>(t.income, (x) => x.plan_amount, { sort: 'plan_amount' }),
  matching: moneyColumn<Income>(t.income, (x) => x.binaryincome, { sort: 'binaryincome' }),
  matched: moneyColumn<Income>(t.matched, (x) => x.lPV),
  cap: moneyColumn<Income>(t.cap, (x) => x.capingamount),
  remark: textColumn<Income>(t.remark, (x) => termList(x.remark ?? '')),
  created: dateColumn<Income>(t.created, (x) => x.dd, { sort: 'dd' }),
  /** On Hold is red, everything else green. */
  status: statusColumn<Income>(
    t.status,
    (x) => x.ss,
    (x) => x.ss !== 'Hold',
  ),
  rank: termColumn<Income>(t.rank, (x) => x.rank, { slot: 'title' }),
  needMatched: moneyColumn<Income>(t.needMatched, (x) => x.reqmatch_bot),
  matchedEver: moneyColumn<Income>(t.matchedEver, (x) => x.match_bot),
  needLeg1: moneyColumn<Income>(t.needLeg1, (x) => x.reqleg1),
  leg1: moneyColumn<Income>(t.leg1, (x) => x.leg1),
  needOther: moneyColumn<Income>(t.needOther, (x) => x.reqotherleg),
  other: moneyColumn<Income>(t.other, (x) => x.otherleg),
  rankReward: moneyColumn<Income>(t.rankReward, (x) => x.reward, { slot: 'amount' }),
  reward: moneyColumn<Income>(t.reward, (x) => x.reward, { slot: 'amount' }),
  salary: moneyColumn<Income>(t.salary, (x) => x.salary),
  date: dateColumn<Income>(t.date, (x) => x.dd),
  /** The server lists all levels in order, reached or not. */
  step: numberColumn<Income>(t.level, (x) => x.lvl),
  achieved: statusColumn<Income>(
    t.achieved,
    (x) => x.achieved_ss,
    (x) => x.achieved_ss === 'achieved',
  ),
  achievedDate: dateColumn<Income>(t.achievedDate, (x) => x.ad),
})

type Columns = ReturnType<typeof incomeColumns>

/** A screen of incomes: the server's name, the columns, and the empty state. */
export function incomeScreen(
  type: string,
  columns: (all: Columns) => Column<Income>[],
  empty: (strings: MemberStrings['incomes']) => string,
  note?: (strings: MemberStrings['incomes']) => string,
  Above?: ComponentType,
) {
  return reportScreen<Income>({
    name: `GetIncomeReport ${type}`,
    file: { report: 'GetIncomeReport', type },
    call: (query) => listOf(api.POST('/api/GetIncomeReport', { body: { ...query, type } })),
    rowKey: ({ sno }) => sno,
    empty: (s) => empty(s.incomes),
    ...(note && { note: (s: MemberStrings) => note(s.incomes) }),
    ...(Above && { Above }),
    filters: dateFilters,
    columns: (s) => columns(incomeColumns(s)),
    drawer: {
      header: (s) => s.table.why,
      numberOf: ({ row }) => row,
      Button: WhyButton,
      Drawer: WhyDrawer,
    },
  })
}

/** Income on a level from another member's purchase or return. */
export const levelColumns = (c: Columns) => [
  c.fromId,
  c.onAmount,
  c.level,
  c.income,
  c.remark,
  c.created,
]

/** The same for a line, whose incomes are held until they are settled. */
export const heldLevelColumns = (c: Columns) => [
  c.fromId,
  c.onAmount,
  c.level,
  c.income,
  c.remark,
  c.status,
  c.created,
]

/** Its total differs from the dashboard's: it excludes what was paid with a claim. */
export const heldRoiColumns = (c: Columns) => [
  c.userId,
  c.onAmount,
  c.onRate,
  c.roi,
  c.status,
  c.created,
]

export const monthlyColumns = (c: Columns) => [c.userId, c.level, c.income, c.created]
