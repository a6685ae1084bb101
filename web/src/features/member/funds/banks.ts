import { useQuery } from '@tanstack/react-query'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { useSession } from '@/lib/session.ts'

/** What the call answers: all banks, or the USDT address. */
const ALL_BANKS = '1'
const USDT = '11'

function useReceivers(action: string) {
  const { userId } = useSession()
  return useQuery({
    queryKey: ['adminBankDetailsByBankid', userId, action],
    queryFn: async () => {
      const query = { uid: userId, id: '0', action }
      return (await answerOf(api.GET('/api/adminBankDetailsByBankid', { params: { query } }))).data
    },
  })
}

/** The company's bank accounts. */
export const useBanks = () => useReceivers(ALL_BANKS)

/** Where USDT is sent. */
export const useUsdtAddress = () => useReceivers(USDT)
