import { useQuery } from '@tanstack/react-query'
import { answerOf } from '../api/answer.ts'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query.ts'
import { useSession } from '../session.ts'

const KEY = 'account'

/** What the member still has to do to protect the account, asked anew on each screen. */
export function useAccount(screen: string) {
  const { userId } = useSession()
  return useQuery({
    queryKey: [KEY, userId, screen],
    queryFn: async () => (await answerOf(api.GET('/api/account'))).data,
  })
}

export const refreshAccount = () => queryClient.invalidateQueries({ queryKey: [KEY] })
