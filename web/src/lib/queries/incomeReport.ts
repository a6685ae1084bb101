import { queryOptions } from '@tanstack/react-query'
import { listOf } from '../api/answer.ts'
import { api } from '../api/client.ts'

/** The newest rows of one of the reports of GetIncomeReport. */
export const incomeReportOptions = (userId: string, type: string, size?: number) =>
  queryOptions({
    queryKey: ['GetIncomeReport', userId, type, size],
    queryFn: async () => {
      const body = { uid: userId, type, ...(size && { size }) }
      return (await listOf(api.POST('/api/GetIncomeReport', { body }))).rows
    },
  })
