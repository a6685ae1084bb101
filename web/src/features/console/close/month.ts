import { formatMonth } from '@/lib/dates.ts'

/** Months are written 2026-01 and days 2026-01-31: both are local and have no time. */

const two = (n: number) => String(n).padStart(2, '0')

export const monthOf = (day: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(day) ? day.slice(0, 7) : new Date().toISOString().slice(0, 7)

export function shiftMonth(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const count = year * 12 + number - 1 + by
  return `${String(Math.floor(count / 12)).padStart(4, '0')}-${two((count % 12) + 1)}`
}

export const monthName = (month: string) => formatMonth(`${month}-01`, 'long')

/**
 * The days of a month in weeks from Monday; places before the first and after the last are empty.
 */
export function weeksOf(month: string): string[][] {
  const first = new Date(`${month}-01T00:00:00Z`)
  const count = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  const places = [
    ...Array<string>((first.getUTCDay() + 6) % 7).fill(''),
    ...Array.from({ length: count }, (_, index) => `${month}-${two(index + 1)}`),
  ]
  while (places.length % 7 > 0) places.push('')
  return Array.from({ length: places.length / 7 }, (_, week) =>
    places.slice(week * 7, week * 7 + 7),
  )
}
