import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { queryClient } from '@/lib/api/query.ts'
import { useSession } from '@/lib/session.ts'
import type { Place } from './places.ts'

/** Empty if nobody with that id is in the member's tree. */
const placesOf = (userId: string, centre: string) =>
  queryOptions({
    queryKey: ['binaryTree', userId, centre],
    queryFn: async (): Promise<Place[]> => {
      if (isNobody(centre)) return []
      const body = { loginId: userId, searchId: centre }
      const { data } = await answerOf(api.POST('/api/binaryTree', { body }))
      return data[0] ?? []
    },
  })

const PATH = 'path'
const ID = /^\d{1,8}$/
/** No id begins with a zero: nobody needs to be asked. */
const isNobody = (id: string) => id.startsWith('0')

/**
 * Who stands on top, and how the member came there: the ids below the member's own, in the
 * address, so that Back and reload keep them.
 */
export function useTree() {
  const { userId } = useSession()
  const [params, setParams] = useSearchParams()
  const path = (params.get(PATH) ?? '').split('.').filter((id) => ID.test(id))
  const query = useQuery({
    ...placesOf(userId, path.at(-1) ?? userId),
    placeholderData: keepPreviousData,
  })
  const setPath = (next: readonly string[]) =>
    setParams(next.length > 0 ? { [PATH]: next.join('.') } : {}, { preventScrollReset: true })

  return {
    ...query,
    userId,
    path,
    setPath,
    /** False if there is no such member in the tree. */
    find: async (id: string): Promise<boolean> => {
      const found = await queryClient.fetchQuery(placesOf(userId, id))
      if (found.length > 0) setPath(id === userId ? [] : [id])
      return found.length > 0
    },
  }
}
