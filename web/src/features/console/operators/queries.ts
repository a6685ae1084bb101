import { queryOptions } from '@tanstack/react-query'
import { listOf } from '@/lib/api/answer.ts'
import { operatorApi } from '@/lib/operator/client.ts'

export const operatorsOptions = queryOptions({
  queryKey: ['operators'],
  queryFn: () => listOf(operatorApi.GET('/api/operator/operators')),
})

/** Proposed changes of operators. */
export const proposalsOptions = queryOptions({
  queryKey: ['proposals'],
  queryFn: () => listOf(operatorApi.GET('/api/operator/proposals')),
})
