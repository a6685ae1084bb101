import { queryOptions, useQuery } from '@tanstack/react-query'
import { dataOf } from '../api/answer.ts'
import { api } from '../api/client.ts'
import { LIMITS } from '../rules/limits.ts'

/**
 * What the server takes: ids grow longer when six digits run out, and an installation may ask for
 * a mailed code before a password is sent or changed.
 */
export const limitsOptions = queryOptions({
  queryKey: ['limits'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: () => dataOf(api.GET('/api/limits')),
})

export const useLimits = () => useQuery(limitsOptions)

/** How many digits each input of a user id takes: as the server says, and until then as usual. */
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
