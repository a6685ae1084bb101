import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { answerOf, dataOf, Refusal } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'

export const phoneCodeOptions = (country: string) =>
  queryOptions({
    queryKey: ['GetcountrybyID', country],
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const params = { query: { id: country } }
      return (await dataOf(api.GET('/api/GetcountrybyID', { params })))[0]?.[0]?.phonecode ?? ''
    },
  })

const RETRIES = 5

export const welcomeOptions = (uid: string) =>
  queryOptions({
    queryKey: ['WelcomeDetails', uid],
    retry: (failures, problem) =>
      failures < RETRIES && !(problem instanceof Refusal && problem.status < 500),
    queryFn: () => dataOf(api.GET('/api/WelcomeDetails', { params: { query: { uid } } })),
  })

export const lookUpAddress = async (): Promise<string> => (await answerOf(api.GET('/api/ip'))).ip

/** The visitor's address as the server sees it, which is looked up before the login. */
export const ipOptions = queryOptions({ queryKey: ['ip'], queryFn: lookUpAddress })
