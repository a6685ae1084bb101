import type { components } from '@/lib/api/schema.d.ts'
import { partOf, plus, signOf } from '@/lib/money.ts'

export type DayIncome = components['schemas']['DayIncomeRow']
export type Kind = DayIncome['t']

export const WIDTH = 600
export const HEIGHT = 200

/** The order from the bottom up; other kinds are on top. */
const KINDS: readonly Kind[] = [
  'Level',
  'Matching',
  'Roi',
  'RoiLevel',
  'Rank',
  'Reward',
  'Salary',
  'Royalty',
]

const DAY_MS = 86_400_000
const dayNumber = (day: string) => Date.parse(`${day}T00:00:00Z`) / DAY_MS

export interface Area {
  kind: Kind
  sum: string
  path: string
}

/** The totals of each kind at the end of each day that had income. */
function sums(rows: readonly DayIncome[], days: readonly string[]): Map<Kind, string[]> {
  const byDay = new Map<string, DayIncome[]>()
  for (const row of rows) byDay.set(row.dd, [...(byDay.get(row.dd) ?? []), row])
  const found = new Set(rows.map(({ t }) => t))
  const kinds = [...new Set([...KINDS, ...found])].filter((kind) => found.has(kind))
  return new Map(
    kinds.map((kind) => {
      let sum = '0'
      const line = days.map((day) => {
        const amounts = byDay.get(day)?.flatMap(({ t, amount }) => (t === kind ? [amount] : []))
        sum = plus(sum, ...(amounts ?? []))
        return sum
      })
      return [kind, line]
    }),
  )
}

/** Sums are exact; only the drawing converts them to pixels. Rows come oldest day first. */
export function areasOf(rows: readonly DayIncome[]) {
  const days = [...new Set(rows.map(({ dd }) => dd))]
  const first = days[0] ?? ''
  const last = days.at(-1) ?? first
  const span = Math.max(1, dayNumber(last) - dayNumber(first))
  const all = sums(rows, days)
  // A total below zero is drawn as zero.
  const shown = (amount: string) => (signOf(amount) < 0 ? '0' : amount)
  const tops = days.map((_, day) =>
    plus(...[...all.values()].map((line) => shown(line[day] ?? '0'))),
  )
  const highest = tops.reduce((most, top) => (partOf(top, most) > 1 ? top : most), tops[0] ?? '0')
  const xs = days.map((day) => ((dayNumber(day) - dayNumber(first)) / span) * WIDTH)
  let below = days.map(() => 0)
  const areas: Area[] = [...all].map(([kind, line]) => {
    const above = below.map((base, day) => base + partOf(shown(line[day] ?? '0'), highest))
    const point = (height: number, day: number) =>
      `${(xs[day] ?? 0).toFixed(1)} ${(HEIGHT * (1 - height)).toFixed(1)}`
    const path = `M${[...above.map(point), ...below.map(point).reverse()].join('L')}Z`
    below = above
    return { kind, sum: line.at(-1) ?? '0', path }
  })
  return { areas, first, last, total: plus(...areas.map(({ sum }) => sum)) }
}
