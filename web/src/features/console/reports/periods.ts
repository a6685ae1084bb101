import type { Texts } from './figures.ts'

/** The preset periods, each with a step that fits. */
export const PRESETS = [
  { name: 'days30', days: 30, bucket: 'day' },
  { name: 'days90', days: 90, bucket: 'day' },
  { name: 'year', days: 365, bucket: 'week' },
  { name: 'years3', days: 3 * 365, bucket: 'month' },
] as const satisfies readonly { name: keyof Texts; days: number; bucket: string }[]

const DAY_MS = 86_400_000

/** The days of a preset, which ends today. */
export function periodOf(days: number, now = Date.now()): { from: string; to: string } {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  return { from: day(now - (days - 1) * DAY_MS), to: day(now) }
}
