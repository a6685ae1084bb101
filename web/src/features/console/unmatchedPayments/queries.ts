import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listOf } from '@/lib/api/answer.ts'
import { operatorApi } from '@/lib/operator/client.ts'

export const unmatchedOptions = (page: number, size: number, filters: Record<string, string>) =>
  queryOptions({
    queryKey: ['unmatchedPayments', page, size, filters],
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const params = { query: { ...filters, page: String(page), size: String(size) } }
      const list = await listOf(operatorApi.GET('/api/operator/unmatchedPayments', { params }))
      return { ...list, page, size }
    },
  })
