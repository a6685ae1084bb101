import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '@/lib/api/answer.ts'
import { operatorApi } from '@/lib/operator/client.ts'

export const healthOptions = queryOptions({
  queryKey: ['health'],
  queryFn: () => dataOf(operatorApi.GET('/api/operator/health')),
})
