import { queryOptions } from '@tanstack/react-query'
import { listOf } from '@/lib/api/answer.ts'
import { operatorApi } from '@/lib/operator/client.ts'

/** The operator's sessions. */
export const sessionsOptions = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => listOf(operatorApi.GET('/api/operator/sessions')),
})
