import { useQuery } from '@tanstack/react-query'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { useSession } from '@/lib/session.ts'
import type { MemberStrings } from '@/lib/strings/member.ts'

/** What can be withdrawn from: the six incomes, and deposits that were not used. */
export type Wallet = keyof MemberStrings['withdrawal']['wallets']

export const WALLETS: readonly Wallet[] = [
  'LevelIncome',
  'binaryIncome',
  'ForexIncome',
  'CryptoIncome',
  'royalty_income',
  'salaryrankreward',
  'FundBalance',
]

/** Deposits come back whole: no minimum, no charge. */
export const isFree = (wallet: string) => wallet === 'FundBalance'

/** What is available in each. */
export function useBalances() {
  const { userId } = useSession()
  return useQuery({
    queryKey: ['getIncomeAmount', userId],
    queryFn: async (): Promise<Record<string, string>> => {
      const read = async (type: Wallet) => {
        const query = { sid: userId, type }
        const { data } = await answerOf(api.GET('/api/getIncomeAmount', { params: { query } }))
        return [type, data.result] as const
      }
      return Object.fromEntries(await Promise.all(WALLETS.map(read)))
    },
  })
}

/** Where the money would go: empty while there is no address. */
export function useAddress() {
  const { userId } = useSession()
  return useQuery({
    queryKey: ['UserInformation', userId, 'address'],
    queryFn: async () => {
      const { data } = await answerOf(api.POST('/api/UserInformation', { body: { uid: userId } }))
      return data[0]?.accountaddress ?? ''
    },
  })
}
