import { queryOptions } from '@tanstack/react-query'
import { dataOf, listOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'

/** The purchases that the member can still cancel for a refund. */
export const refundableOptions = (userId: string) =>
  queryOptions({
    queryKey: ['refundable', userId],
    queryFn: async () =>
      (await listOf(api.GET('/api/refundable', { params: { query: { uid: userId } } }))).rows,
  })

/** The newest investments on a line, and their number. */
export const investmentsOptions = (userId: string, line: 'FOREX' | 'CRYPTO', size: number) =>
  queryOptions({
    queryKey: ['investments', userId, line, size],
    queryFn: () =>
      listOf(api.GET('/api/investments', { params: { query: { uid: userId, line, size } } })),
  })

/** The lessons of the educational package. */
export const lessonsOptions = (userId: string) =>
  queryOptions({
    queryKey: ['lessons', userId],
    queryFn: () => dataOf(api.GET('/api/lessons', { params: { query: { uid: userId } } })),
  })
