import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '../api/answer.ts'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query.ts'

const KEY = 'sessions'

/** The member's sessions, an operator's visit included. */
export const sessionsOptions = (userId: string) =>
  queryOptions({
    queryKey: [KEY, userId],
    queryFn: async () => (await dataOf(api.GET('/api/sessions')))[0] ?? [],
  })

export const refreshSessions = () => queryClient.invalidateQueries({ queryKey: [KEY] })
