import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '@/lib/api/answer.ts'
import { operatorApi } from '@/lib/operator/client.ts'

/** A new secret for the authenticator app. Each call makes another one, so it is made once. */
export const factorBeginOptions = (userId: string) =>
  queryOptions({
    queryKey: ['factor', userId],
    queryFn: () => dataOf(operatorApi.POST('/api/operator/factor/begin')),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    // A refresh of the console must not make another secret.
    enabled: ({ state }) => state.data === undefined,
  })
