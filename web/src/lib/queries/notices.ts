import { useQuery, useQueryClient } from '@tanstack/react-query'
import { answerOf } from '../api/answer.ts'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { useSession } from '../session.ts'

export type Notice = components['schemas']['NoticeRow']

const KEY = 'notices'
const EVERY_MS = 60_000

/** What became of the member's affairs, newest first, asked anew every minute while it is looked at. */
export function useNotices() {
  const { userId, isAuth, mustChange } = useSession()
  return useQuery({
    queryKey: [KEY, userId],
    enabled: isAuth && !mustChange,
    refetchInterval: EVERY_MS,
    refetchOnWindowFocus: 'always',
    queryFn: async () => {
      const query = { uid: userId }
      const { data, unread } = await answerOf(api.GET('/api/notices', { params: { query } }))
      return { notices: data[0] ?? [], unread }
    },
  })
}

/**
 * The member has read what is shown. A visiting operator reads nothing in a member's place, and
 * what could not be told is told the next time.
 */
export async function tellRead(uid: string, [newest]: readonly Notice[]): Promise<void> {
  if (!newest?.unread) return
  await api.POST('/api/notices/read', { body: { uid, upto: newest.at } }).catch(() => undefined)
}

/** Asks anew at once. */
export function useRefresh() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: [KEY] })
}
