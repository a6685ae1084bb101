import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '@/lib/api/answer.ts'
import { operatorApi } from '@/lib/operator/client.ts'

/** A ticket with all its messages. `seen` changes when somebody writes. */
export const threadOptions = (id: string, seen: number) =>
  queryOptions({
    queryKey: ['ticket', id, seen],
    queryFn: () =>
      dataOf(operatorApi.GET('/api/operator/tickets/thread', { params: { query: { id } } })),
  })
