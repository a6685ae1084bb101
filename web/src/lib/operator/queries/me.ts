import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { answerOf } from '../../api/answer.ts'
import type { components } from '../../api/schema.d.ts'
import type { Session } from '../../api/session.ts'
import { operatorApi, operatorQueries, operatorSession } from '../client.ts'

export type Me = components['schemas']['OperatorMe']

export function useOperatorSession(): Session {
  return useSyncExternalStore(operatorSession.subscribe, operatorSession.get)
}

export const askMe = async (): Promise<Me> =>
  (await answerOf(operatorApi.GET('/api/operator/me'))).data

/** Who the signed-in operator is, as the server says. */
export function useMe() {
  const { userId, isAuth } = useOperatorSession()
  return useQuery({ queryKey: ['me', userId], enabled: isAuth, queryFn: askMe })
}

/** After something was done: everything that was read may have changed. */
export const refreshConsole = () => operatorQueries.invalidateQueries()
