import type { components } from '@/lib/api/schema.d.ts'
import { formatDay, formatMonth } from '@/lib/dates.ts'
import { exactMoney, exactPercent, formatPercent } from '@/lib/money.ts'
import type { ConsoleStrings } from '@/lib/strings/console.ts'

type Schemas = components['schemas']
export type Table = Omit<Schemas['FigureTable'], 'rows'> & { rows: string[][] }
export type Report = Omit<Schemas['FigureReport'], 'tables'> & { tables: Table[] }
export type Unit = Schemas['FigureColumn']['unit']
export type Kind = keyof ConsoleStrings['reports']['kinds']
export type Texts = ConsoleStrings['reports']

/**
 * A report as the server answers it; the contract allows rows without cells, which do not occur.
 */
export const reportOf = ({ tables, ...rest }: Schemas['FigureReport']): Report => ({
  ...rest,
  tables: tables.map((table) => ({ ...table, rows: table.rows.map((row) => row ?? []) })),
})

/** The reports in the order of their tabs. */
export const KINDS: readonly Kind[] = [
  'revenue',
  'payouts',
  'people',
  'retention',
  'legs',
  'retail',
  'concentration',
  'disclosure',
  'coverage',
]

/** Reports of one moment, which have no period. */
const MOMENTARY: readonly Kind[] = ['legs', 'concentration', 'disclosure']
export const hasPeriod = (kind: Kind): boolean => !MOMENTARY.includes(kind)

const nameIn = (names: Readonly<Record<string, string>>, ...codes: string[]) =>
  codes.map((code) => names[code]).find((name) => name !== undefined) ?? codes.at(-1) ?? ''

/** The name of a column: that of its table, of its report, or the general one. */
export function columnName(t: Texts, kind: Kind, table: string, name: string): string {
  const months = /^m(\d+)$/.exec(name)
  if (months) return t.after({ months: Number(months[1]) })
  return nameIn(t.columns, `${table}.${name}`, `${kind}.${name}`, name)
}

/** The name of a code: a kind of income has the name of its column. */
export const wordOf = (t: Texts, word: string): string => nameIn({ ...t.columns, ...t.words }, word)

/** The label of a row as text. */
export function labelOf(t: Texts, unit: Unit, value: string): string {
  if (unit === 'day') return formatDay(value)
  if (unit === 'month') return formatMonth(value, 'short')
  if (unit === 'share') return formatPercent(Number(value))
  return unit === 'text' ? wordOf(t, value) : value
}

/** A number for drawing only: visible figures stay text. */
const drawn = (unit: Unit, value: string): number =>
  unit === 'share' ? Number(value) / 10_000 : Number(value)

export interface ChartSpec {
  title: keyof Texts['charts']
  table: string
  kind: 'line' | 'bars'
  columns: readonly string[]
  /** Keeps the columns with the largest totals. */
  most?: number
}

/** The charts of each report. */
export const CHARTS: Record<Kind, readonly ChartSpec[]> = {
  revenue: [
    { title: 'net', table: 'time', kind: 'bars', columns: ['net'] },
    {
      title: 'sources',
      table: 'time',
      kind: 'line',
      columns: ['sales_members', 'sales_customers', 'fees', 'charges'],
    },
  ],
  payouts: [
    { title: 'net', table: 'time', kind: 'bars', columns: ['net'] },
    {
      title: 'kinds',
      table: 'time',
      kind: 'line',
      most: 4,
      columns: [
        'level',
        'matching',
        'rank',
        'reward',
        'salary',
        'royalty',
        'roi_forex',
        'roi_crypto',
        'roi_level_forex',
        'roi_level_crypto',
      ],
    },
  ],
  people: [
    {
      title: 'joined',
      table: 'time',
      kind: 'line',
      columns: ['members', 'customers', 'activations'],
    },
    { title: 'active', table: 'time', kind: 'line', columns: ['active'] },
  ],
  retention: [
    {
      title: 'retained',
      table: 'overall',
      kind: 'line',
      columns: ['active_share', 'buying_share'],
    },
  ],
  legs: [
    { title: 'byMembers', table: 'spread', kind: 'bars', columns: ['by_members'] },
    { title: 'byBusiness', table: 'spread', kind: 'bars', columns: ['by_business'] },
  ],
  retail: [
    { title: 'bought', table: 'time', kind: 'line', columns: ['members', 'customers'] },
    { title: 'retail', table: 'time', kind: 'bars', columns: ['share'] },
  ],
  concentration: [{ title: 'tops', table: 'tops', kind: 'bars', columns: ['share'] }],
  disclosure: [{ title: 'earned', table: 'spread', kind: 'bars', columns: ['earned'] }],
  coverage: [
    { title: 'coveredNow', table: 'classes', kind: 'bars', columns: ['ratio'] },
    {
      title: 'covered',
      table: 'time',
      kind: 'line',
      columns: ['deposits', 'incomes', 'trading', 'all'],
    },
  ],
}

export interface Drawing {
  kind: 'lines' | 'bars'
  unit: Unit
  daily: boolean
  /** The last row is a day that is not closed. */
  open: boolean
  labels: string[]
  /** The heading of the labels. */
  labelName: string
  series: { name: string; values: number[] }[]
  /** The server's figures, by series and row. */
  exact: string[][]
}

const SHORT = { notation: 'compact', maximumFractionDigits: 1 } as const
const shortDollars = new Intl.NumberFormat('en-US', {
  ...SHORT,
  style: 'currency',
  currency: 'USD',
})
const shortCount = new Intl.NumberFormat('en-US', SHORT)

/** A value of a chart's axis. */
export function axisOf(unit: Unit, value: number): string {
  if (unit === 'money') return shortDollars.format(value)
  return unit === 'share' ? `${Number(value.toFixed(1))}%` : shortCount.format(value)
}

/** The exact figure of a point. */
export function exactOf(unit: Unit, figure: string): string {
  if (figure === '') return '–'
  if (unit === 'money') return exactMoney(figure)
  return unit === 'share' ? exactPercent(Number(figure)) : Number(figure).toLocaleString('en-US')
}

/** The data of a chart; undefined if the report has too few figures. */
export function drawingOf(report: Report, spec: ChartSpec, t: Texts): Drawing | undefined {
  const table = report.tables.find(({ name }) => name === spec.table)
  if (!table) return undefined
  const kind = report.kind as Kind
  const chosen = columnsOf(table, spec)
  const isDaily = table.columns[0]?.unit === 'day'
  const isOpen = ([day = '']: readonly string[]) => isDaily && day > report.closed
  // A line needs a final figure at each point; a missing bar counts as zero.
  const rows = table.rows.filter(
    (row) => spec.kind === 'bars' || (!isOpen(row) && chosen.every((index) => row[index] !== '')),
  )
  if (rows.length < (spec.kind === 'line' ? 2 : 1)) return undefined
  const unit = table.columns[chosen[0] ?? 0]?.unit ?? 'count'
  const first = table.columns[0]?.unit ?? 'text'
  return {
    kind: spec.kind === 'line' ? 'lines' : 'bars',
    unit,
    daily: isDaily,
    open: isOpen(rows.at(-1) ?? []),
    labelName: columnName(t, kind, table.name, table.columns[0]?.name ?? ''),
    exact: chosen.map((index) => rows.map((row) => row[index] ?? '')),
    labels: rows.map((row) => labelOf(t, first, row[0] ?? '')),
    series: chosen.map((index) => ({
      name: columnName(t, kind, table.name, table.columns[index]?.name ?? ''),
      values: rows.map((row) => drawn(unit, row[index] ?? '')),
    })),
  }
}

function columnsOf(table: Table, { columns, most = columns.length }: ChartSpec): number[] {
  const indexes = columns.map((name) => table.columns.findIndex((column) => column.name === name))
  const size = (index: number) => Math.abs(Number(table.total[index] ?? 0))
  if (most >= indexes.length) return indexes.filter((index) => index >= 0)
  const largest = indexes.filter((index) => size(index) > 0).sort((a, b) => size(b) - size(a))
  return largest.slice(0, most)
}

const isNothing = (figure: string) => /^-?0*(\.0*)?$/.test(figure)

/** Whether a report is empty: no rows, or only empty figures. */
export const isEmpty = ({ tables }: Report): boolean =>
  tables.every(({ rows, columns }) =>
    rows.every((row) =>
      row.every((cell, index) => index === 0 || columns[index]?.unit === 'text' || isNothing(cell)),
    ),
  )
