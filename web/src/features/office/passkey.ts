import { answerOf, Refusal } from '@/lib/api/answer.ts'
import { underKey } from '@/lib/api/submit.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import type { ConsoleStrings } from '@/lib/strings/console.ts'

/** What the browser says of a passkey that it made or used. */
type Said = RegistrationResponseJSON | AuthenticationResponseJSON

type Words = ConsoleStrings['console']['passkeys']

/** Browsers know passkeys on secure pages only, and each passkey at one address only. */
export function whyNot(origin: string, t: Words): string {
  if (origin !== location.origin) return t.elsewhere(origin)
  return typeof PublicKeyCredential?.parseCreationOptionsFromJSON === 'function' ? '' : t.unable
}

/** Why the browser gave no passkey, in words. */
function refusalOf(error: unknown, t: Words): Refusal {
  const known = error instanceof DOMException && error.name === 'InvalidStateError'
  return new Refusal(known ? t.known : t.cancelled, 0, undefined, {})
}

async function ask<S extends Said>(
  origin: string,
  t: Words,
  act: () => Promise<Credential | null>,
): Promise<S> {
  const why = whyNot(origin, t)
  if (why !== '') throw new Refusal(why, 0, undefined, {})
  let given: Credential | null
  try {
    given = await act()
  } catch (error) {
    throw refusalOf(error, t)
  }
  return (given as PublicKeyCredential).toJSON() as S
}

/** Makes a passkey on this device and has it added. `proof` is a password or a code. */
export async function addPasskey(name: string, proof: string, key: string, t: Words) {
  const begin = operatorApi.POST('/api/operator/passkeys/begin', { body: { name, proof } })
  const { flow, origin, options } = (await answerOf(begin)).data
  const { id, response } = await ask<RegistrationResponseJSON>(origin, t, () =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
    }),
  )
  const { clientDataJSON = '', attestationObject = '', transports = [] } = response
  const body = { flow, id, clientDataJSON, attestationObject, transports }
  return answerOf(operatorApi.POST('/api/operator/passkeys/add', { body, ...underKey(key) }))
}

/** Lets a passkey of this device sign in. */
export async function signInByPasskey(key: string, t: Words) {
  const begin = operatorApi.POST('/api/operator/passkey/begin')
  const { flow, origin, options } = (await answerOf(begin)).data
  const { id, response } = await ask<AuthenticationResponseJSON>(origin, t, () =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
    }),
  )
  const { clientDataJSON = '', authenticatorData = '', signature = '', userHandle = '' } = response
  const body = { flow, id, clientDataJSON, authenticatorData, signature, userHandle }
  return answerOf(operatorApi.POST('/api/operator/passkey/login', { body, ...underKey(key) }))
}
