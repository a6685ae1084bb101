import { describe, expect, it } from 'vitest'
import { monthName, shiftMonth, weeksOf } from './month.ts'

describe('a month', () => {
  it('goes over the end of a year both ways', () => {
    expect(shiftMonth('2026-12', 1)).toBe('2027-01')
    expect(shiftMonth('2026-01', -1)).toBe('2025-12')
    expect(shiftMonth('2026-11', 0)).toBe('2026-11')
    expect(monthName('2026-11')).toBe('November 2026')
  })

  it('has whole weeks from Monday', () => {
    const weeks = weeksOf('2026-11') // begins on a Sunday
    expect(weeks[0]).toEqual(['', '', '', '', '', '', '2026-11-01'])
    expect(weeks.at(-1)).toEqual(['2026-11-30', '', '', '', '', '', ''])
    expect(weeksOf('2027-02').flat().filter(Boolean)).toHaveLength(28)
    expect(weeksOf('2027-02')).toHaveLength(4)
  })
})
