import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { answerOf, dataOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'

export const ifscOptions = (ifsc: string) =>
  queryOptions({
    queryKey: ['ifsc', ifsc],
    staleTime: Number.POSITIVE_INFINITY,
    // A retry would only keep the member from filling the form in by hand.
    retry: false,
    queryFn: async () => {
      const data = await dataOf(api.GET('/api/ifsc', { params: { query: { ifsc } } }))
      return { bank: data.bank_name, branch: data.branch }
    },
  })

const PAGE = 25

/** The entries of the audit log that concern the member, newest first. */
export const auditOptions = (userId: string) =>
  infiniteQueryOptions({
    queryKey: ['audit', userId],
    initialPageParam: 0,
    queryFn: ({ pageParam }) =>
      answerOf(
        api.GET('/api/audit', {
          params: { query: { uid: userId, size: PAGE, before: pageParam } },
        }),
      ),
    getNextPageParam: ({ next }) => (next === 0 ? undefined : next),
  })

/** The figures and the newest entries of a wallet's statement. */
export const previewOptions = (uid: string, wallet: string, days: Record<string, string>) =>
  queryOptions({
    queryKey: ['statementPreview', uid, wallet, days],
    queryFn: () =>
      dataOf(api.GET('/api/statementPreview', { params: { query: { uid, wallet, ...days } } })),
  })
