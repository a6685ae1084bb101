import type { ReactNode } from 'react'
import { formatDay, formatMoment, zone } from '@/lib/dates.ts'
import { term } from '@/lib/strings/serverText.ts'
import { Amount } from '../Amount.tsx'
import { type Judgement, StatusBadge } from '../StatusBadge.tsx'

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  /** Numbers stand right-aligned. */
  align?: 'end'
  /** Free text: it may take several lines. */
  wrap?: true
  /** Two short words: one below the other where space is short. */
  narrow?: true
  /** A hash or an address: its beginning is visible, all of it can be copied. */
  clip?: true
  /** The server's name for the order by this column, if it has one. */
  sort?: string
}

type Pick<Row> = (row: Row) => string | number | undefined
interface Extra {
  sort?: string
  wrap?: true
  narrow?: true
  clip?: true
}

const isEmpty = (value: unknown) => value === undefined || value === ''
const NOTHING = '–'

export function textColumn<Row>(header: string, pick: Pick<Row>, extra: Extra = {}): Column<Row> {
  return {
    header,
    cell: (row) => {
      const value = pick(row)
      if (isEmpty(value)) return NOTHING
      return <bdi {...(extra.clip && { title: String(value) })}>{value}</bdi>
    },
    ...extra,
  }
}

/** A term of the server, in the user's language. */
export function termColumn<Row>(
  header: string,
  pick: (row: Row) => string | undefined,
  extra: Extra = {},
): Column<Row> {
  return textColumn(header, (row) => term(pick(row) ?? ''), extra)
}

export function numberColumn<Row>(header: string, pick: Pick<Row>, extra: Extra = {}): Column<Row> {
  return { ...textColumn(header, pick, extra), align: 'end' }
}

export function moneyColumn<Row>(
  header: string,
  pick: (row: Row) => string | undefined,
  extra: Extra = {},
): Column<Row> {
  return {
    header,
    align: 'end',
    cell: (row) => {
      const value = pick(row)
      return value === undefined || value === '' ? NOTHING : <Amount value={value} />
    },
    ...extra,
  }
}

/** "0.170380" percent is read as 0.17%: the rate of a day is too small for one place. */
export function rateColumn<Row>(
  header: string,
  pick: (row: Row) => string | undefined,
): Column<Row> {
  return {
    header,
    align: 'end',
    cell: (row) => {
      const value = pick(row)
      if (!value) return NOTHING
      return <span title={`${value.replace(/\.?0+$/, '')}%`}>{Number(value).toFixed(2)}%</span>
    },
  }
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** A day, or a moment in the user's time zone; a dash if empty. */
export function dateColumn<Row>(
  header: string,
  pick: (row: Row) => string | undefined,
  extra: Extra = {},
): Column<Row> {
  return {
    header,
    cell: (row) => {
      const value = pick(row)
      if (value === undefined || value === '') return NOTHING
      return (
        <time dateTime={value}>
          {DAY.test(value) ? formatDay(value) : formatMoment(value, zone())}
        </time>
      )
    },
    ...extra,
  }
}

/** `good` selects green, red or neither; `word` is the text. */
export function statusColumn<Row>(
  header: string,
  word: (row: Row) => string | undefined,
  good: (row: Row) => Judgement,
  extra: Extra = {},
): Column<Row> {
  return {
    header,
    ...extra,
    cell: (row) => {
      const text = word(row)
      return text ? <StatusBadge word={text} good={good(row)} /> : NOTHING
    },
  }
}
