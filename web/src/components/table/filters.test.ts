import { expect, it } from 'vitest'
import { type PRESETS, presetDays } from './filters.ts'

it.each([
  ['allTime', '', ''],
  ['today', '2026-03-01', '2026-03-01'],
  ['week', '2026-02-23', '2026-03-01'],
  ['month', '2026-03-01', '2026-03-01'],
  ['lastMonth', '2026-02-01', '2026-02-28'],
] satisfies [(typeof PRESETS)[number], string, string][])(
  '%s is a period of days',
  (preset, ...days) => {
    expect(presetDays(preset, new Date(2026, 2, 1, 23, 30))).toEqual(days)
  },
)
