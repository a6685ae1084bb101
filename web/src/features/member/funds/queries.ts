import { queryOptions } from '@tanstack/react-query'
import { dataOf, listOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import type { components } from '@/lib/api/schema.d.ts'

export type Deposit = components['schemas']['DepositRow']

/** The accounts of the company that members pay to: `action` 1 for all banks, 11 for USDT. */
export const receiversOptions = (userId: string, action: '1' | '11') =>
  queryOptions({
    queryKey: ['adminBankDetailsByBankid', userId, action],
    queryFn: () => {
      const query = { uid: userId, id: '0', action }
      return dataOf(api.GET('/api/adminBankDetailsByBankid', { params: { query } }))
    },
  })

/** The server does not push what it sees on the chain: the page asks again. */
const EVERY_MS = 20_000

/** The address that the member pays USDT to, and the payments that the server has seen. */
export const depositOptions = (userId: string) =>
  queryOptions({
    queryKey: ['DepositAddress', userId],
    refetchInterval: ({ state: { data } }) => (data && data.mode !== 'hash' ? EVERY_MS : false),
    queryFn: (): Promise<Deposit> =>
      dataOf(api.GET('/api/DepositAddress', { params: { query: { uid: userId } } })),
  })

const BY_USDT = 1
const NEWEST = 100

/** The states of the newest requests by USDT. */
export const requestStatesOptions = (userId: string) =>
  queryOptions({
    queryKey: ['FundRequestHistory', userId, 'states'],
    queryFn: async () => {
      const body = { uid: userId, action: BY_USDT, size: NEWEST }
      return (await listOf(api.POST('/api/FundRequestHistory', { body }))).rows
    },
  })
