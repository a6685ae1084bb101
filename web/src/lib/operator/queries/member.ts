import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '@/lib/api/answer.ts'
import { operatorApi } from '@/lib/operator/client.ts'

export const memberOptions = (uid: string) =>
  queryOptions({
    queryKey: ['member', uid],
    queryFn: () => dataOf(operatorApi.GET('/api/operator/member', { params: { query: { uid } } })),
  })
