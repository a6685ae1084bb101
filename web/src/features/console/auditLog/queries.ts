import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { answerOf } from '@/lib/api/answer.ts'
import { operatorApi } from '@/lib/operator/client.ts'

/** A page of the audit log, from the newest entry or the one before `before`. */
export const auditOptions = (filters: Record<string, string>, before: number) =>
  queryOptions({
    queryKey: ['audit', filters, before],
    placeholderData: keepPreviousData,
    queryFn: () => {
      const { operator, ...rest } = filters
      const params = {
        query: {
          ...rest,
          size: 50,
          ...(operator && { operator: Number(operator) }),
          ...(before && { before }),
        },
      }
      return answerOf(operatorApi.GET('/api/operator/audit', { params }))
    },
  })
