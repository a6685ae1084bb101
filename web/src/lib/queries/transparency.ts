import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '../api/answer.ts'
import type { api } from '../api/client.ts'

/** The public figures of the last close, asked for with the session of `client`. */
export const transparencyOptions = (client: typeof api) =>
  queryOptions({
    queryKey: ['transparency'],
    queryFn: () => dataOf(client.GET('/api/transparency')),
  })
