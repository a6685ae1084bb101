import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { dataOf } from '@/lib/api/answer.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { shiftMonth } from './month.ts'
import type { RowsShown } from './Overview.tsx'

const daysBefore = (before: string, size: number) => () => {
  const query = { size, ...(before && { before }) }
  return dataOf(operatorApi.GET('/api/operator/close/days', { params: { query } }))
}

export const PAGE_SIZE = 31

/** A page of the closed days, from the newest or the one before `before`. */
export const closedDaysOptions = (before: string) =>
  queryOptions({
    queryKey: ['close/days', before],
    queryFn: daysBefore(before, PAGE_SIZE),
  })

/** The closed days of a month such as 2026-04. */
export const closedMonthOptions = (month: string) =>
  queryOptions({
    queryKey: ['close/days', 'month', month],
    placeholderData: keepPreviousData,
    queryFn: daysBefore(`${shiftMonth(month, 1)}-01`, 31),
  })

/** A closed day with one page of its rows. */
export const closedDayOptions = (day: string, shown: RowsShown) =>
  queryOptions({
    queryKey: ['close/day', day, shown],
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const { only, page, size } = shown
      const query = { day, page, size, ...(only && { only }) }
      const data = await dataOf(operatorApi.GET('/api/operator/close/day', { params: { query } }))
      return { ...data, page, size }
    },
  })

const EVERY_MS = 500

/** The progress of the running close. */
export const closeProgressOptions = queryOptions({
  queryKey: ['close/progress'],
  queryFn: () => dataOf(operatorApi.GET('/api/operator/close/progress')),
  refetchInterval: EVERY_MS,
  gcTime: 0,
})

/** The last replay of a closed day; asked for again while it runs. */
export const replayOptions = queryOptions({
  queryKey: ['close/replay'],
  queryFn: () => dataOf(operatorApi.GET('/api/operator/close/replay')),
  refetchInterval: ({ state }) => (state.data?.running ? EVERY_MS : false),
})
