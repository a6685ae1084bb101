import { expect, it } from 'vitest'
import { cumulated, nextDay, seriesOf } from './days.ts'

const row = (dd: string, t: string, amount: string, line?: string) => ({
  dd,
  t: t as 'Level',
  amount,
  ...(line && { line }),
})

it('has every day through the last closed one, with zero where nothing was earned', () => {
  const { days, series } = seriesOf(
    [
      row('2026-02-27', 'Level', '1.5'),
      row('2026-03-01', 'Roi', '2', 'FOREX'),
      row('2026-03-01', 'Level', '0.000001'),
    ],
    '2026-03-02',
  )
  expect(days).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'])
  expect(series).toEqual([
    { row: 'Level', amounts: ['1.5', '0', '0.000001', '0'] },
    { row: 'Roi FOREX', amounts: ['0', '0', '2', '0'] },
  ])
})

it('sums up exactly', () => {
  expect(cumulated(['1.5', '0', '-0.000001'])).toEqual(['1.5', '1.5', '1.499999'])
  expect(nextDay('2028-02-28')).toBe('2028-02-29')
})
