import { queryOptions } from '@tanstack/react-query'
import { answerOf } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { operatorApi } from '../client.ts'

export type LineBook = components['schemas']['LineStanding']

/** How the trading lines stand, for every screen that tells of it. */
export const lineBooks = queryOptions({
  queryKey: ['trading/lines'],
  queryFn: async (): Promise<LineBook[]> =>
    (await answerOf(operatorApi.GET('/api/operator/trading/lines'))).data ?? [],
})
