import { useQuery } from '@tanstack/react-query'
import { answerOf } from '../api/answer.ts'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query.ts'
import type { components } from '../api/schema.d.ts'
import { underKey } from '../api/submit.ts'
import { makePasskey, type PasskeyWords, signByPasskey } from '../passkey.ts'
import { useSession } from '../session.ts'

type Schemas = components['schemas']

/** How the member stands with a second factor. */
export type Factor = Schemas['FactorAnswer']
/** What proves once more that the member is there. */
export type Proof = Schemas['Proof']

const KEY = 'factor'

export function useFactor() {
  const { userId } = useSession()
  return useQuery({
    queryKey: [KEY, userId],
    queryFn: async (): Promise<Factor> => (await answerOf(api.GET('/api/factor'))).data,
    // An operator's visit may not read it: asking again changes nothing.
    retry: false,
  })
}

/** After a change: the sessions may have ended with it. */
export const refreshFactor = () =>
  Promise.all([KEY, 'sessions'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })))

/** Has a passkey of the member sign beside the password. */
export async function proveByPasskey(password: string, words: PasskeyWords): Promise<Proof> {
  const { data } = await answerOf(api.POST('/api/factor/prove'))
  return { password, passkey: await signByPasskey(data, words) }
}

/** Makes a passkey on this device and has it added. */
export async function addPasskey(name: string, proof: Proof, key: string, words: PasskeyWords) {
  const begun = await answerOf(api.POST('/api/factor/passkeys/begin', { body: { name, ...proof } }))
  const body = await makePasskey(begun.data, words)
  return answerOf(api.POST('/api/factor/passkeys/add', { body, ...underKey(key) }))
}
