import { queryOptions, useQuery } from '@tanstack/react-query'
import { dataOf } from '../api/answer.ts'
import { api } from '../api/client.ts'

/** What withdrawals cost and wait for, and how long purchases cool off. */
export const moneyRulesOptions = queryOptions({
  queryKey: ['moneyRules'],
  queryFn: () => dataOf(api.GET('/api/moneyRules')),
})

export const useMoneyRules = () => useQuery(moneyRulesOptions)
