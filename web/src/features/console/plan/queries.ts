import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '@/lib/api/answer.ts'
import { operatorApi } from '@/lib/operator/client.ts'

export const planOptions = queryOptions({
  queryKey: ['plan'],
  queryFn: () => dataOf(operatorApi.GET('/api/operator/plan')),
})

/** A proposed version, with its changes. */
export const planProposalOptions = (version: string) =>
  queryOptions({
    queryKey: ['plan', 'proposal', version],
    queryFn: () =>
      dataOf(operatorApi.GET('/api/operator/plan/proposal', { params: { query: { version } } })),
  })

const EVERY_MS = 1_000

/** The last simulation of a draft; asked for again while it runs. */
export const whatIfOptions = queryOptions({
  queryKey: ['plan/whatif'],
  queryFn: () => dataOf(operatorApi.GET('/api/operator/plan/whatif')),
  refetchInterval: ({ state }) => (state.data?.running ? EVERY_MS : false),
})
