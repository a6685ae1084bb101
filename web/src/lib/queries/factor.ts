import { queryOptions, useQuery } from '@tanstack/react-query'
import { answerOf, dataOf } from '../api/answer.ts'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query.ts'
import type { components } from '../api/schema.d.ts'
import { underKey } from '../api/submit.ts'
import { makePasskey, type PasskeyWords, signByPasskey } from '../passkey.ts'
import { useSession } from '../session.ts'
import { refreshSessions } from './sessions.ts'

type Schemas = components['schemas']

/** Whether the member has a second factor, and which. */
export type Factor = Schemas['FactorAnswer']
/** The proof of identity that a protected change needs. */
export type Proof = Schemas['Proof']

const KEY = 'factor'

export const factorOptions = (userId: string) =>
  queryOptions({
    queryKey: [KEY, userId],
    queryFn: (): Promise<Factor> => dataOf(api.GET('/api/factor')),
    // The server refuses it during an operator's visit: a retry changes nothing.
    retry: false,
  })

export function useFactor() {
  const { userId } = useSession()
  return useQuery(factorOptions(userId))
}

/** After a change, which may have ended sessions. */
export const refreshFactor = () =>
  Promise.all([queryClient.invalidateQueries({ queryKey: [KEY] }), refreshSessions()])

/** Signs with a passkey of the member, beside the password. */
export async function proveByPasskey(password: string, words: PasskeyWords): Promise<Proof> {
  const { data } = await answerOf(api.POST('/api/factor/prove'))
  return { password, passkey: await signByPasskey(data, words) }
}

/** Creates a passkey on this device and adds it to the member. */
export async function addPasskey(name: string, proof: Proof, key: string, words: PasskeyWords) {
  const begun = await answerOf(api.POST('/api/factor/passkeys/begin', { body: { name, ...proof } }))
  const body = await makePasskey(begun.data, words)
  return answerOf(api.POST('/api/factor/passkeys/add', { body, ...underKey(key) }))
}
