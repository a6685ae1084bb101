import { queryOptions, useQuery } from '@tanstack/react-query'
import { dataOf } from '../api/answer.ts'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query.ts'
import type { components } from '../api/schema.d.ts'
import { useSession } from '../session.ts'

export type Dashboard = components['schemas']['DashboardRow']

export const dashboardOptions = (userId: string) =>
  queryOptions({
    queryKey: ['userDashboard', userId],
    queryFn: async (): Promise<Dashboard> => {
      const row = (await dataOf(api.POST('/api/userDashboard', { body: { uid: userId } })))[0]?.[0]
      if (!row) throw new Error('The dashboard has no row')
      return row
    },
  })

/** The member's summary, balances included: the shell and every money form read this one. */
export function useDashboard() {
  const { userId, isAuth } = useSession()
  return useQuery({ ...dashboardOptions(userId), enabled: isAuth })
}

/** After a movement of money: every cached answer may be out of date. */
export const refreshAll = () => queryClient.invalidateQueries()
