import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { operatorApi } from '../client.ts'

export type LineBook = components['schemas']['LineStanding']

/** The trading lines: positions, results and held returns of each. */
export const tradingLinesOptions = queryOptions({
  queryKey: ['trading/lines'],
  queryFn: async (): Promise<LineBook[]> =>
    (await dataOf(operatorApi.GET('/api/operator/trading/lines'))) ?? [],
})
