import { queryOptions } from '@tanstack/react-query'
import { listOf } from '@/lib/api/answer.ts'
import { operatorApi } from '@/lib/operator/client.ts'

/** The requests that name the same transaction number. */
export const claimantsOptions = (utrno: string) =>
  queryOptions({
    queryKey: ['fundRequests', 'claims', utrno],
    queryFn: () =>
      listOf(
        operatorApi.GET('/api/operator/fundRequests/claims', { params: { query: { utrno } } }),
      ),
  })
