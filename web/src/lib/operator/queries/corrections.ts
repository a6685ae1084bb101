import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '@/lib/api/answer.ts'
import { operatorApi } from '@/lib/operator/client.ts'

/** Corrections of one member's balances, or of all if `uid` is empty. */
export const correctionsOptions = (uid: string) =>
  queryOptions({
    queryKey: ['corrections', uid],
    queryFn: () =>
      dataOf(
        operatorApi.GET('/api/operator/corrections', { params: { query: uid ? { uid } : {} } }),
      ),
  })
