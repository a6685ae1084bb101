import { useQuery } from '@tanstack/react-query'
import { answerOf } from '../api/answer.ts'
import { api } from '../api/client.ts'

/** What withdrawals cost and wait for, and how long purchases cool off. */
export function useMoneyRules() {
  return useQuery({
    queryKey: ['moneyRules'],
    queryFn: async () => (await answerOf(api.GET('/api/moneyRules'))).data,
  })
}
