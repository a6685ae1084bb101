import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { queryClient } from '@/lib/api/query.ts'
import { binaryTreeOptions } from '@/lib/queries/binaryTree.ts'
import { useSession } from '@/lib/session.ts'

const PATH = 'path'
const ID = /^\d{1,8}$/

/**
 * The centre and the path to it. The address has the ids below the member's own, so that they
 * survive Back and a reload.
 */
export function useTree() {
  const { userId } = useSession()
  const [params, setParams] = useSearchParams()
  const path = (params.get(PATH) ?? '').split('.').filter((id) => ID.test(id))
  const query = useQuery({
    ...binaryTreeOptions(userId, path.at(-1) ?? userId),
    placeholderData: keepPreviousData,
  })
  const setPath = (next: readonly string[]) =>
    setParams(next.length > 0 ? { [PATH]: next.join('.') } : {}, { preventScrollReset: true })

  return {
    ...query,
    userId,
    path,
    setPath,
    /** Resolves to false if the member is not in the tree. */
    find: async (id: string): Promise<boolean> => {
      const found = await queryClient.fetchQuery(binaryTreeOptions(userId, id))
      if (found.length > 0) setPath(id === userId ? [] : [id])
      return found.length > 0
    },
  }
}
