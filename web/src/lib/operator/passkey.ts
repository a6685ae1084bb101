import { answerOf } from '@/lib/api/answer.ts'
import { underKey } from '@/lib/api/submit.ts'
import { makePasskey, type PasskeyWords, signByPasskey } from '@/lib/passkey.ts'
import { operatorApi } from './client.ts'

/** The proof of the operator's identity: a code, or a passkey if there is none. */
export interface Given {
  password: string
  code: string
}

export async function proofOf({ password, code }: Given, t: PasskeyWords) {
  if (code !== '') return { password, code: code.replaceAll(' ', '') }
  const { data } = await answerOf(operatorApi.POST('/api/operator/passkey/prove'))
  return { password, passkey: await signByPasskey(data, t) }
}

/** Creates a passkey on this device and adds it to the operator. */
export async function addPasskey(name: string, given: Given, key: string, t: PasskeyWords) {
  const body = { name, ...(await proofOf(given, t)) }
  const begun = await answerOf(operatorApi.POST('/api/operator/passkeys/begin', { body }))
  const made = await makePasskey(begun.data, t)
  return answerOf(operatorApi.POST('/api/operator/passkeys/add', { body: made, ...underKey(key) }))
}

/** Signs the operator in with a passkey of this device. */
export async function signInByPasskey(key: string, t: PasskeyWords) {
  const { data } = await answerOf(operatorApi.POST('/api/operator/passkey/begin'))
  const body = await signByPasskey(data, t)
  return answerOf(operatorApi.POST('/api/operator/passkey/login', { body, ...underKey(key) }))
}
