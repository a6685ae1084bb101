import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { dataOf } from '@/lib/api/answer.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { type Kind, reportOf } from './figures.ts'

type Bucket = 'day' | 'week' | 'month'

/** One report; the query names its kind and, if it has one, its period. */
export const reportOptions = (query: Record<string, string> & { kind: Kind }) =>
  queryOptions({
    queryKey: ['reports', query],
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const { bucket, ...rest } = query as { kind: Kind; bucket?: Bucket }
      const params = { query: { ...rest, ...(bucket && { bucket }) } }
      return reportOf(await dataOf(operatorApi.GET('/api/operator/reports', { params })))
    },
  })
