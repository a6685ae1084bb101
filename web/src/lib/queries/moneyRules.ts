import { queryOptions, useQuery } from '@tanstack/react-query'
import { dataOf } from '../api/answer.ts'
import { api } from '../api/client.ts'

/** Fees and waiting times of withdrawals, and the cooling-off period of purchases. */
export const moneyRulesOptions = queryOptions({
  queryKey: ['moneyRules'],
  queryFn: () => dataOf(api.GET('/api/moneyRules')),
})

export const useMoneyRules = () => useQuery(moneyRulesOptions)
