import { plus } from '@/lib/money.ts'
import type { DayIncome } from './queries.ts'

const MS_PER_DAY = 86_400_000

/** The day after, as 2026-01-31. */
export const nextDay = (day: string): string =>
  new Date(Date.parse(day) + MS_PER_DAY).toISOString().slice(0, 10)

export interface Series {
  row: string
  /** Exact, by day. */
  amounts: string[]
}

/** The name of an income's kind and line. */
const rowOf = ({ t, line }: DayIncome) => (line ? `${t} ${line}` : t)

/**
 * Every day from the first income through the last closed day, and the amounts of each kind that
 * occurs. Days without income are zero.
 */
export function seriesOf(rows: readonly DayIncome[], closed: string) {
  const first = rows[0]?.dd ?? closed
  const last = rows.at(-1)?.dd ?? closed
  const days: string[] = []
  for (let day = first; day <= (last > closed ? last : closed); day = nextDay(day)) days.push(day)
  const index = new Map(days.map((day, at) => [day, at]))
  const series = new Map<string, string[]>()
  for (const row of rows) {
    const name = rowOf(row)
    const amounts = series.get(name) ?? days.map(() => '0')
    const at = index.get(row.dd) ?? 0
    amounts[at] = plus(amounts[at] ?? '0', row.amount)
    series.set(name, amounts)
  }
  return { days, series: [...series].map(([row, amounts]): Series => ({ row, amounts })) }
}

/** Each day's sum of all days before it and its amount. */
export function cumulated(amounts: readonly string[]): string[] {
  let sum = '0'
  return amounts.map((amount) => {
    sum = plus(sum, amount)
    return sum
  })
}
