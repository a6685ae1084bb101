import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { dataOf } from '../../api/answer.ts'
import type { components } from '../../api/schema.d.ts'
import type { Session } from '../../api/session.ts'
import { operatorApi, operatorQueries, operatorSession } from '../client.ts'

export type Me = components['schemas']['OperatorMe']

export function useOperatorSession(): Session {
  return useSyncExternalStore(operatorSession.subscribe, operatorSession.get)
}

export const askMe = (): Promise<Me> => dataOf(operatorApi.GET('/api/operator/me'))

export const meOptions = (userId: string) =>
  queryOptions({ queryKey: ['me', userId], queryFn: askMe })

/** The signed-in operator, as the server knows them. */
export function useMe() {
  const { userId, isAuth } = useOperatorSession()
  return useQuery({ ...meOptions(userId), enabled: isAuth })
}

/** After an act: every cached answer may be out of date. */
export const refreshConsole = () => operatorQueries.invalidateQueries()
