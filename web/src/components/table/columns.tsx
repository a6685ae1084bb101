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
  /** The place of the cell in the card that a row is on a phone (`slotsOf`). */
  slot?: Slot
  /** Chooses among columns for a slot that none names. */
  kind?: 'text' | 'money' | 'date' | 'status'
}

/**
 * A card has a title and an amount in its first line, the date and the status in its second. A
 * `line` is below with its heading, `more` appears after a press, and an `action` ends the card.
 */
export type Slot = 'title' | 'amount' | 'status' | 'date' | 'line' | 'more' | 'action'

const KIND_OF = { title: 'text', amount: 'money', status: 'status', date: 'date' } as const

/** The lines below the first two that a card shows without a press. */
const LINES = 2

/** The slot of each column: the named one, or that of the first column of its kind. */
export function slotsOf<Row>(columns: readonly Column<Row>[]): Slot[] {
  const slots: (Slot | undefined)[] = columns.map(({ slot }) => slot)
  for (const [slot, kind] of Object.entries(KIND_OF) as [keyof typeof KIND_OF, string][]) {
    if (slots.includes(slot)) continue
    const free = columns.map((column, at) => slots[at] === undefined && column.kind === kind)
    const sorted = free.findIndex((isFree, at) => isFree && columns[at]?.sort !== undefined)
    const at = sorted >= 0 && slot === 'amount' ? sorted : free.indexOf(true)
    if (at >= 0) slots[at] = slot
  }
  const left = slots.filter((slot) => slot === undefined).length
  const shown = left <= LINES + 1 ? left : LINES
  let lines = 0
  return slots.map((slot) => slot ?? (lines++ < shown ? 'line' : 'more'))
}

type Pick<Row> = (row: Row) => string | number | undefined
interface Extra {
  sort?: string
  wrap?: true
  narrow?: true
  clip?: true
  slot?: Slot
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
    kind: 'text',
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
  const { kind: _, ...column } = textColumn(header, pick, extra)
  return { ...column, align: 'end' }
}

export function moneyColumn<Row>(
  header: string,
  pick: (row: Row) => string | undefined,
  extra: Extra = {},
): Column<Row> {
  return {
    header,
    align: 'end',
    kind: 'money',
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
    kind: 'date',
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
    kind: 'status',
    ...extra,
    cell: (row) => {
      const text = word(row)
      return text ? <StatusBadge word={text} good={good(row)} /> : NOTHING
    },
  }
}
