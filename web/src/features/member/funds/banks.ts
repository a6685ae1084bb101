import { useQuery } from '@tanstack/react-query'
import { useSession } from '@/lib/session.ts'
import { receiversOptions } from './queries.ts'

/** The company's bank accounts. */
export function useBanks() {
  const { userId } = useSession()
  return useQuery(receiversOptions(userId, '1'))
}

/** The address that USDT is sent to. */
export function useUsdtAddress() {
  const { userId } = useSession()
  return useQuery(receiversOptions(userId, '11'))
}
