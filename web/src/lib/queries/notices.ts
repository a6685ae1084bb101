import { queryOptions, useQuery } from '@tanstack/react-query'
import { answerOf } from '../api/answer.ts'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { useSession } from '../session.ts'

export type Notice = components['schemas']['NoticeRow']

const EVERY_MS = 60_000

export const noticesOptions = (userId: string) =>
  queryOptions({
    queryKey: ['notices', userId],
    queryFn: async () => {
      const query = { uid: userId }
      const { data, unread } = await answerOf(api.GET('/api/notices', { params: { query } }))
      return { notices: data[0] ?? [], unread }
    },
  })

const ALL = 100

/** As many notices as the server lists, newest first. */
export const allNoticesOptions = (userId: string) =>
  queryOptions({
    queryKey: ['notices', userId, ALL],
    queryFn: async () => {
      const query = { uid: userId, size: ALL }
      return (await answerOf(api.GET('/api/notices', { params: { query } }))).data[0] ?? []
    },
  })

/** The member's notices, newest first. They are read again every minute while the page is visible. */
export function useNotices() {
  const { userId, isAuth, mustChange } = useSession()
  return useQuery({
    ...noticesOptions(userId),
    enabled: isAuth && !mustChange,
    refetchInterval: EVERY_MS,
    refetchOnWindowFocus: 'always',
  })
}

/**
 * Marks the notices as read, up to the newest. The server refuses it during an operator's visit; a
 * call that fails is repeated the next time the list is opened.
 */
export async function markRead(uid: string, [newest]: readonly Notice[]): Promise<void> {
  if (!newest?.unread) return
  await api.POST('/api/notices/read', { body: { uid, upto: newest.at } }).catch(() => undefined)
}
