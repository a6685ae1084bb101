import { useQuery } from '@tanstack/react-query'
import { answerOf } from '../api/answer.ts'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query.ts'
import type { components } from '../api/schema.d.ts'
import { useSession } from '../session.ts'

export type Dashboard = components['schemas']['DashboardRow']

const KEY = 'userDashboard'

/** The member's summary, balances included: the shell and every money form read this one. */
export function useDashboard() {
  const { userId, isAuth } = useSession()
  return useQuery({
    queryKey: [KEY, userId],
    enabled: isAuth,
    queryFn: async (): Promise<Dashboard> => {
      const { data } = await answerOf(api.POST('/api/userDashboard', { body: { uid: userId } }))
      const row = data[0]?.[0]
      if (!row) throw new Error('The dashboard has no row')
      return row
    },
  })
}

/** After money has moved: everything that was read may have changed. */
export const refreshAll = () => queryClient.invalidateQueries()
