import { queryOptions, useQuery } from '@tanstack/react-query'
import { dataOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { informationOptions } from '@/lib/queries/userInformation.ts'
import { useSession } from '@/lib/session.ts'
import { WALLETS, type Wallet } from './wallets.ts'

/** The balance that is available in each wallet. */
export const balancesOptions = (userId: string) =>
  queryOptions({
    queryKey: ['getIncomeAmount', userId],
    queryFn: async (): Promise<Record<string, string>> => {
      const read = async (type: Wallet) => {
        const query = { sid: userId, type }
        return [type, (await dataOf(api.GET('/api/getIncomeAmount', { params: { query } }))).result]
      }
      return Object.fromEntries(await Promise.all(WALLETS.map(read)))
    },
  })

export function useBalances() {
  const { userId } = useSession()
  return useQuery(balancesOptions(userId))
}

/** The address that withdrawals are sent to: empty while there is none. */
export function useAddress() {
  const { userId } = useSession()
  return useQuery({
    ...informationOptions(userId),
    select: ({ accountaddress }) => accountaddress ?? '',
  })
}
