import type { Strings } from '@/lib/strings/index.ts'

/** One filter above a list. `name` is its name in the call and in the address. */
export type Filter =
  | {
      kind: 'date'
      name: string
      label: string
      /** The name of the filter with the first day, for the one with the last day. */
      since?: string
      /** Marked as required, although it may be empty. */
      marked?: boolean
    }
  | { kind: 'text'; name: string; label: string; most: number }
  | {
      kind: 'select'
      name: string
      label: string
      /** The first option applies until another is chosen. */
      options: readonly { value: string; label: string }[]
    }

/** The initial value of a filter. */
export const initialValue = (filter: Filter): string =>
  filter.kind === 'select' ? (filter.options[0]?.value ?? '') : ''

/** The names of two filters whose last day is before the first. */
export function backwards(filters: readonly Filter[], values: Record<string, string>) {
  for (const filter of filters) {
    if (filter.kind !== 'date' || filter.since === undefined) continue
    const [first, last] = [values[filter.since] ?? '', values[filter.name] ?? '']
    // Days are strings that sort by date.
    if (last !== '' && last < first) return { first: filter.since, last: filter.name }
  }
  return undefined
}

export const dateFilters = ({ filters: t }: Strings): Filter[] => [
  { kind: 'date', name: 'fdate', label: t.fromDate },
  { kind: 'date', name: 'tdate', label: t.toDate, since: 'fdate' },
]

export const markedDateFilters = (strings: Strings): Filter[] =>
  dateFilters(strings).map((filter) => ({ ...filter, marked: true }))

export const positionFilter = ({ filters: t }: Strings): Filter => ({
  kind: 'select',
  name: 'position',
  label: t.position,
  options: [
    { value: '0', label: t.allPosition },
    { value: '1', label: t.left },
    { value: '2', label: t.right },
  ],
})

export const statusFilter = ({ filters: t }: Strings): Filter => ({
  kind: 'select',
  name: 'status',
  label: t.personStatus,
  options: [
    { value: '2', label: t.all },
    { value: '1', label: t.active },
    { value: '0', label: t.inactive },
  ],
})

const LEVELS = Array.from({ length: 20 }, (_, index) => index + 1)

export const levelFilter = ({ filters: t }: Strings): Filter => ({
  kind: 'select',
  name: 'leveltype',
  label: t.level,
  options: [
    { value: '0', label: t.allLevel },
    ...LEVELS.map((level) => ({ value: String(level), label: t.levelNumber({ level }) })),
  ],
})

/** Two filters of days that belong together: the first and the last day of a period. */
export function periodOf(filters: readonly Filter[]): { first: string; last: string } | undefined {
  for (const filter of filters) {
    if (filter.kind === 'date' && filter.since) return { first: filter.since, last: filter.name }
  }
  return undefined
}

const dayOf = (date: Date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')

export const PRESETS = ['allTime', 'today', 'week', 'month', 'lastMonth'] as const

/** The first and the last day of a preset; both are empty for all time. */
export function presetDays(preset: (typeof PRESETS)[number], now = new Date()): [string, string] {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  switch (preset) {
    case 'allTime':
      return ['', '']
    case 'today':
      return [dayOf(now), dayOf(now)]
    case 'week':
      return [dayOf(new Date(year, month, day - 6)), dayOf(now)]
    case 'month':
      return [dayOf(new Date(year, month, 1)), dayOf(now)]
    case 'lastMonth':
      return [dayOf(new Date(year, month - 1, 1)), dayOf(new Date(year, month, 0))]
  }
}
