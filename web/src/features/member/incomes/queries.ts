import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'

/** The calculation of one income, by its number. */
export const incomeWhyOptions = (userId: string, row: number) =>
  queryOptions({
    queryKey: ['IncomeWhy', userId, row],
    queryFn: () => dataOf(api.POST('/api/IncomeWhy', { body: { uid: userId, row } })),
  })
