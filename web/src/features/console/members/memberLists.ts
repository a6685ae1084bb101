import {
  type Column,
  dateColumn,
  moneyColumn,
  numberColumn,
  termColumn,
  textColumn,
} from '@/components/table/columns.tsx'
import { type List, listOf } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import type { ConsoleStrings } from '@/lib/strings/console.ts'
import { named } from '@/lib/strings/named.ts'
import { serverText, term } from '@/lib/strings/serverText.ts'

type Schemas = components['schemas']
type Texts = ConsoleStrings['memberLists']

export interface MemberListQuery {
  uid: string
  kind: string
  page: number
  size: number
}

/** A list of the member's page, as data. */
export interface MemberList<Row> {
  name: string
  /** The kinds to choose from; the first is the default. */
  options: (strings: ConsoleStrings) => { value: string; label: string }[]
  call: (query: MemberListQuery) => Promise<List<Row>>
  columns: (strings: ConsoleStrings) => readonly Column<Row>[]
  rowKey: (row: Row, index: number) => string | number
  empty: (strings: ConsoleStrings) => string
}

const choices = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

export const purchases: MemberList<Schemas['HistoryRow']> = {
  name: 'purchases',
  options: ({ memberLists: t }) => choices(t.products),
  call: ({ kind, ...page }) =>
    listOf(
      operatorApi.GET('/api/operator/member/purchases', {
        params: { query: { ...page, of: kind as keyof Texts['products'] } },
      }),
    ),
  columns: ({ memberLists: t }) => [
    dateColumn(t.at, (x) => x.at),
    termColumn(t.package, (x) => x.pp),
    moneyColumn(t.amount, (x) => x.Amount),
    textColumn(t.state, (x) => named(t.states, x.state)),
    textColumn(t.payer, (x) => x.referby),
    textColumn(t.number, (x) => x.id, { clip: true }),
  ],
  rowKey: ({ id }) => id,
  empty: ({ memberLists: t }) => t.noPurchases,
}

export const incomes: MemberList<Schemas['MemberIncomeRow']> = {
  name: 'incomes',
  options: ({ memberLists: t }) => choices(t.kinds),
  call: ({ kind, ...page }) =>
    listOf(
      operatorApi.GET('/api/operator/member/incomes', {
        params: { query: { ...page, kind: kind as keyof Texts['kinds'] } },
      }),
    ),
  columns: ({ memberLists: t }) => [
    dateColumn(t.day, (x) => x.day),
    numberColumn(t.row, (x) => x.row),
    textColumn(t.from, (x) => x.of),
    numberColumn(t.level, (x) => x.level || ''),
    moneyColumn(t.on, (x) => x.on),
    moneyColumn(t.nominal, (x) => x.nominal),
    moneyColumn(t.paid, (x) => x.paid),
    textColumn(t.state, (x) => named(t.statuses, x.status)),
    dateColumn(t.since, (x) => x.since),
  ],
  rowKey: ({ row }) => row,
  empty: ({ memberLists: t }) => t.noIncomes,
}

export const requests: MemberList<Schemas['AskedRow']> = {
  name: 'requests',
  options: ({ memberLists: t }) => choices(t.asked),
  call: ({ kind, ...page }) =>
    listOf(
      operatorApi.GET('/api/operator/member/requests', {
        params: { query: { ...page, kind: kind as keyof Texts['asked'] } },
      }),
    ),
  columns: ({ memberLists: t, console }) => [
    dateColumn(t.at, (x) => x.at || x.day),
    textColumn(t.number, (x) => x.id),
    textColumn(t.fund, (x) => named(console.codes, x.fund)),
    moneyColumn(t.amount, (x) => x.amount),
    moneyColumn(t.net, (x) => x.net),
    termColumn(t.state, (x) => x.status),
    textColumn(t.other, (x) => [x.other, term(x.name)].filter(Boolean).join(' · '), { clip: true }),
    textColumn(t.remark, (x) => serverText(x.remark, x.remarkText), { wrap: true }),
    dateColumn(t.until, (x) => x.until),
  ],
  rowKey: ({ id, at }, index) => id || `${at} ${index}`,
  empty: ({ memberLists: t }) => t.noRequests,
}
