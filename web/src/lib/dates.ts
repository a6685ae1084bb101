import { currentLocale } from './strings/serverText.ts'

/**
 * Moments arrive as ISO 8601 in UTC. Days arrive as YYYY-MM-DD and have no time zone. Both are
 * formatted in the user's language, with Latin digits.
 */

const DAY = /^\d{4}-\d{2}-\d{2}$/
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/

const formats = new Map<string, Intl.DateTimeFormat>()

/** Creating a format is slow, and a table has hundreds of dates. */
function formatOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([currentLocale(), options])
  const made = formats.get(key) ?? new Intl.DateTimeFormat(`${currentLocale()}-u-nu-latn`, options)
  formats.set(key, made)
  return made
}

/** Every month in three letters, so that days in a column line up; British English has "Sept". */
const inThree = (text: string) => text.replace('Sept ', 'Sep ')

/** The beginning of a day; null if there is no such day. */
function realDate(day: string): Date | null {
  const date = new Date(`${day}T00:00:00Z`)
  // Date accepts 30 February and moves on to March; the round trip does not.
  const real = DAY.test(day) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
  return real ? date : null
}

function dateOf(day: string): Date {
  const date = realDate(day)
  if (!date) throw new RangeError(`Not a day: ${JSON.stringify(day)}`)
  return date
}

/** Whether the server accepts this text as a day. */
export const isDay = (text: string): boolean => (realDate(text)?.getTime() ?? -1) >= 0

const EAST_MS = 14 * 60 * 60 * 1000

/** Whether a day has not begun anywhere on earth: the server may be in another time zone. */
export const isAhead = (day: string): boolean =>
  day > new Date(Date.now() + EAST_MS).toISOString().slice(0, 10)

const DAY_MS = 24 * 60 * 60 * 1000

/** The day, here, some days after today, formatted. */
export const dayAfter = (days: number): string =>
  formatDate(new Date(Date.now() + days * DAY_MS).toISOString(), zone())

const DATE = { day: '2-digit', month: 'short', year: 'numeric' } as const

/** "2026-11-15" becomes "15 Nov 2026". */
export const formatDay = (day: string): string =>
  inThree(formatOf({ ...DATE, timeZone: 'UTC' }).format(dateOf(day)))

/** The month of a day: "2026-10-01" becomes "Oct 2026", or "October 2026". */
export const formatMonth = (day: string, month: 'short' | 'long'): string =>
  inThree(formatOf({ month, year: 'numeric', timeZone: 'UTC' }).format(dateOf(day)))

/** The days of a week from Monday: "Mon", "Tue" and so on. */
export const weekdays = (): string[] =>
  Array.from({ length: 7 }, (_, index) =>
    // The first of January 2024 was a Monday.
    formatOf({ weekday: 'short', timeZone: 'UTC' }).format(Date.UTC(2024, 0, index + 1)),
  )

function momentOf(moment: string): Date {
  const date = new Date(moment)
  if (!MOMENT.test(moment) || Number.isNaN(date.getTime())) {
    throw new RangeError(`Not a moment in UTC: ${JSON.stringify(moment)}`)
  }
  return date
}

/** "2026-11-15T20:30:00Z" in Asia/Kolkata becomes "16 Nov 2026, 02:00". */
export function formatMoment(moment: string, timeZone: string): string {
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  return inThree(formatOf({ ...DATE, ...time, timeZone }).format(momentOf(moment)))
}

/** The day of a moment: "2026-11-15T20:30:00Z" in Asia/Kolkata becomes "16 Nov 2026". */
export const formatDate = (moment: string, timeZone: string): string =>
  inThree(formatOf({ ...DATE, timeZone }).format(momentOf(moment)))

let here = ''

/** The user's time zone. Reading it is slow, and a table needs it hundreds of times. */
export function zone(): string {
  here ||= Intl.DateTimeFormat().resolvedOptions().timeZone
  return here
}
