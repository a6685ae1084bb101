import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { isDay } from '@/lib/dates.ts'
import { backwards, type Filter, initialValue } from './filters.ts'

/** The page sizes to choose from. */
export const SIZES = [25, 50, 100, 500] as const
const DEFAULT_SIZE = 25

/** A part of a list. */
export interface Place {
  page: number
  size: number
}

/** The number of a page's first row in the whole list. */
export const firstOf = ({ page, size }: Place) => (page - 1) * size + 1

export interface TableState extends Place {
  sort: string
  filters: Record<string, string>
}

/** Addresses can be edited: an unknown value counts as untouched. */
function settingOf(filter: Filter, raw: string | null): string {
  if (filter.kind === 'text') return (raw ?? '').slice(0, filter.most)
  const known =
    filter.kind === 'select'
      ? filter.options.some(({ value }) => value === raw)
      : raw !== null && isDay(raw)
  return known && raw !== null ? raw : initialValue(filter)
}

function settingsOf(filters: readonly Filter[], rawOf: (name: string) => string | null) {
  const settings = Object.fromEntries(
    filters.map((filter) => [filter.name, settingOf(filter, rawOf(filter.name))]),
  )
  const wrong = backwards(filters, settings)
  return wrong ? { ...settings, [wrong.first]: '', [wrong.last]: '' } : settings
}

/** The last page that the server accepts. */
const LAST_PAGE = 1_000_000

function pageOf(raw: string | null): number {
  const page = Math.min(Number(raw ?? '1'), LAST_PAGE)
  return Number.isSafeInteger(page) && page >= 1 ? page : 1
}

/**
 * Page, size, order and filters of a list are in the address, so that they survive a reload and the
 * Back button, and links can be shared. `prefix` distinguishes two lists of one screen.
 */
export function useTableState(filters: readonly Filter[], prefix = '') {
  const [params, setParams] = useSearchParams()
  const text = params.toString()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address determines it; filters are rebuilt at each render
  const state = useMemo<TableState>(() => {
    const size = Number(params.get(`${prefix}size`))
    return {
      page: pageOf(params.get(`${prefix}page`)),
      size: SIZES.find((known) => known === size) ?? DEFAULT_SIZE,
      sort: params.get(`${prefix}sort`) ?? '',
      filters: settingsOf(filters, (name) => params.get(`${prefix}${name}`)),
    }
  }, [text, prefix])

  const change = (next: Partial<TableState>, replace = false) => {
    const whole = { ...state, ...next }
    const entries = new Map<string, string>()
    entries.set('page', whole.page === 1 ? '' : String(whole.page))
    entries.set('size', whole.size === DEFAULT_SIZE ? '' : String(whole.size))
    entries.set('sort', whole.sort)
    for (const filter of filters) {
      const value = whole.filters[filter.name] ?? initialValue(filter)
      entries.set(filter.name, value === initialValue(filter) ? '' : value)
    }
    setParams(
      (old) => {
        const changed = new URLSearchParams(old)
        for (const [name, value] of entries) {
          if (value === '') changed.delete(`${prefix}${name}`)
          else changed.set(`${prefix}${name}`, value)
        }
        return changed
      },
      { preventScrollReset: true, replace },
    )
  }

  return {
    state,
    /** A new order, filter or size goes back to the first page. */
    setPage: (page: number, replace = false) => change({ page }, replace),
    setSize: (size: number) => change({ size, page: 1 }),
    setSort: (sort: string) => change({ sort, page: 1 }),
    setFilters: (values: Record<string, string>) => change({ filters: values, page: 1 }),
    /** Whether a filter is set. */
    filtered: filters.some((filter) => state.filters[filter.name] !== initialValue(filter)),
    clearFilters: () => change({ filters: {}, page: 1 }),
  }
}

/** The filters that have a value. */
export const filled = (filters: Record<string, string>) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''))
