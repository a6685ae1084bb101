import { queryOptions, useQuery } from '@tanstack/react-query'
import { dataOf } from '../api/answer.ts'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query.ts'
import { useSession } from '../session.ts'

const KEY = 'account'

export const accountOptions = (userId: string, screen: string) =>
  queryOptions({
    queryKey: [KEY, userId, screen],
    queryFn: () => dataOf(api.GET('/api/account')),
  })

/** The steps that still protect the account, such as confirming the e-mail address; read on each screen. */
export function useAccount(screen: string) {
  const { userId } = useSession()
  return useQuery(accountOptions(userId, screen))
}

export const refreshAccount = () => queryClient.invalidateQueries({ queryKey: [KEY] })
