import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { dataOf, listOf } from '@/lib/api/answer.ts'
import { operatorApi } from '@/lib/operator/client.ts'

/** The hot wallet and the chain. */
export const chainOptions = queryOptions({
  queryKey: ['chain'],
  queryFn: () => dataOf(operatorApi.GET('/api/operator/chain')),
})

export const batchesOptions = (page: number, size: number) =>
  queryOptions({
    queryKey: ['payouts', page, size],
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const query = { page: String(page), size: String(size) }
      const list = await listOf(operatorApi.GET('/api/operator/payouts', { params: { query } }))
      return { ...list, page, size }
    },
  })

export const batchOptions = (batch: number) =>
  queryOptions({
    queryKey: ['payouts/batch', batch],
    queryFn: () =>
      dataOf(operatorApi.GET('/api/operator/payouts/batch', { params: { query: { batch } } })),
  })

/** Whether payouts are held after a restore, and why. */
export const holdOptions = queryOptions({
  queryKey: ['payouts', 'hold'],
  queryFn: () => dataOf(operatorApi.GET('/api/operator/payouts/hold')),
})

const APPROVED = { state: 'Approved', size: '500', sort: 'id' } as const

/** The approved withdrawals. */
export const approvedOptions = queryOptions({
  queryKey: ['withdrawals', 'approved'],
  queryFn: () =>
    listOf(operatorApi.GET('/api/operator/withdrawals', { params: { query: APPROVED } })),
})
