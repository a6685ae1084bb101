import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '@/lib/api/answer.ts'
import { operatorApi } from '@/lib/operator/client.ts'

/** Bookings: proposed, not yet closed, and profit that no settlement has covered. */
export const bookingsOptions = queryOptions({
  queryKey: ['bookings'],
  queryFn: () => dataOf(operatorApi.GET('/api/operator/bookings')),
})
