import { expect, it } from 'vitest'
import { formatDay, formatMoment } from './dates.ts'

it('shows a day as it is, whatever the time zone of the machine', () => {
  expect(formatDay('2026-11-15')).toBe('15 Nov 2026')
  expect(formatDay('2026-09-05')).toBe('05 Sep 2026')
  expect(formatDay('2028-02-29')).toBe('29 Feb 2028')
})

it.each(['2026-02-30', '2027-02-29', '2026-13-01', '15.11.2026', '', '2026-11-15T00:00:00Z'])(
  'refuses %j as a day',
  (text) => {
    expect(() => formatDay(text)).toThrow(RangeError)
  },
)

it('shows a moment in the time zone asked for', () => {
  expect(formatMoment('2026-11-15T20:30:00Z', 'UTC')).toBe('15 Nov 2026, 20:30')
  expect(formatMoment('2026-11-15T20:30:00.123456Z', 'Asia/Kolkata')).toBe('16 Nov 2026, 02:00')
  expect(formatMoment('2026-09-15T20:30:00Z', 'UTC')).toBe('15 Sep 2026, 20:30')
})

it.each(['2026-11-15', '2026-11-15T20:30:00', '2026-11-15T20:30:00+02:00', 'now'])(
  'refuses %j as a moment, because its zone is not UTC',
  (text) => {
    expect(() => formatMoment(text, 'UTC')).toThrow(RangeError)
  },
)
