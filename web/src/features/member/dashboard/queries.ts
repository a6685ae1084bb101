import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { dataOf, listOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import type { components } from '@/lib/api/schema.d.ts'

export type Overview = components['schemas']['OverviewRow']
export type RecentRow = components['schemas']['RecentRow']
export type DayIncome = components['schemas']['DayIncomeRow']

/** Available money, recent earnings and open matters. */
export const overviewOptions = (userId: string) =>
  queryOptions({
    queryKey: ['DashboardOverview', userId],
    queryFn: () => dataOf(api.POST('/api/DashboardOverview', { body: { uid: userId } })),
  })

export const incomeByDayOptions = (userId: string) =>
  queryOptions({
    queryKey: ['IncomeByDay', userId],
    queryFn: async () =>
      (await dataOf(api.POST('/api/IncomeByDay', { body: { uid: userId } })))[0] ?? [],
  })

/** How many rows of the newest are shown. */
const SIZE = 10

/** The newest of the team: 1 registrations, 2 activations and top-ups. */
export const recentOptions = (userId: string, type: 1 | 2, sort: string) =>
  queryOptions({
    queryKey: ['GetDashRecentData', userId, type, sort],
    placeholderData: keepPreviousData,
    queryFn: () => {
      const body = { uid: userId, type, size: SIZE, ...(sort !== '' && { sort }) }
      return listOf<RecentRow>(api.POST('/api/GetDashRecentData', { body }))
    },
  })
