/** Moments arrive as ISO 8601 in UTC; days arrive as YYYY-MM-DD and belong to no time zone. */

const DAY = /^\d{4}-\d{2}-\d{2}$/
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: '2-digit',
  month: 'short',
  year: 'numeric',
})

/** Every month in three letters, so that days in a column line up; British English has one of four. */
const inThree = (text: string) => text.replace('Sept', 'Sep')

/** "2026-11-15" becomes "15 Nov 2026". */
export function formatDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  // Date accepts 30 February and moves on to March; the round trip does not.
  const real = DAY.test(day) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
  if (!real) throw new RangeError(`Not a day: ${JSON.stringify(day)}`)
  return inThree(dayFormat.format(date))
}

/** "2026-11-15T20:30:00Z" in Asia/Kolkata becomes "16 Nov 2026, 02:00". */
export function formatMoment(moment: string, timeZone: string): string {
  const date = new Date(moment)
  if (!MOMENT.test(moment) || Number.isNaN(date.getTime())) {
    throw new RangeError(`Not a moment in UTC: ${JSON.stringify(moment)}`)
  }
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return inThree(format.format(date))
}

/** Where the reader is. */
export const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone
