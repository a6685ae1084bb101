import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '../api/answer.ts'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'

export type Place = components['schemas']['TreeNode']

/** No id begins with a zero. */
const isNobody = (id: string) => id.startsWith('0')

/** The places from `centre` down; none if `centre` is not in the member's tree. */
export const binaryTreeOptions = (userId: string, centre: string) =>
  queryOptions({
    queryKey: ['binaryTree', userId, centre],
    queryFn: async (): Promise<Place[]> => {
      if (isNobody(centre)) return []
      const body = { loginId: userId, searchId: centre }
      return (await dataOf(api.POST('/api/binaryTree', { body })))[0] ?? []
    },
  })
