import { queryOptions, useQuery } from '@tanstack/react-query'
import { dataOf } from '../api/answer.ts'
import { api } from '../api/client.ts'
import { LIMITS } from '../rules/limits.ts'

/**
 * The limits of the installation: user ids grow longer when six digits run out, and a code may be
 * mailed before a password is sent or changed.
 */
export const limitsOptions = queryOptions({
  queryKey: ['limits'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: () => dataOf(api.GET('/api/limits')),
})

export const useLimits = () => useQuery(limitsOptions)

/** The longest user id that each input accepts; the usual lengths until the server has answered. */
export function useIdLengths() {
  const { data } = useLimits()
  return {
    login: data?.login ?? LIMITS.loginUserId,
    forgot: data?.forgotPassword ?? LIMITS.forgotUserId,
    transfer: data?.transferUser ?? LIMITS.transferUserId,
    activation: Math.max(LIMITS.activationUserId, data?.transferUser ?? 0),
    treeSearch: data?.treeSearch ?? LIMITS.treeSearch,
  }
}
