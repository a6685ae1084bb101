import { Refusal } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import type { Strings } from '@/lib/strings/index.ts'

type Schemas = components['schemas']

/** The texts for a passkey that cannot be created or used. */
export type PasskeyWords = Strings['passkeyUse']

/**
 * Why passkeys do not work on this page: they need https and the configured address. Empty if they
 * do.
 */
export function whyNot(origin: string, t: PasskeyWords): string {
  if (origin !== location.origin) return t.elsewhere({ origin })
  return typeof PublicKeyCredential?.parseCreationOptionsFromJSON === 'function' ? '' : t.unable
}

/** The browser's error as a text. */
function refusalOf(error: unknown, t: PasskeyWords): Refusal {
  const known = error instanceof DOMException && error.name === 'InvalidStateError'
  return new Refusal(known ? t.known : t.cancelled, 0)
}

async function ask<S>(
  origin: string,
  t: PasskeyWords,
  act: () => Promise<Credential | null>,
): Promise<S> {
  const why = whyNot(origin, t)
  if (why !== '') throw new Refusal(why, 0)
  let given: Credential | null
  try {
    given = await act()
  } catch (error) {
    throw refusalOf(error, t)
  }
  return (given as PublicKeyCredential).toJSON() as S
}

/** Creates a passkey on this device; returns the body of the call that adds it. */
export async function makePasskey(
  { flow, origin, options }: Schemas['PasskeyBegun'],
  t: PasskeyWords,
) {
  const { id, response } = await ask<RegistrationResponseJSON>(origin, t, () =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
    }),
  )
  const { clientDataJSON = '', attestationObject = '', transports = [] } = response
  return { flow, id, clientDataJSON, attestationObject, transports }
}

type Asked = Pick<Schemas['PasskeySignIn'], 'flow' | 'origin' | 'options'>

/** Signs the server's challenge with a passkey of this device. */
export async function signByPasskey({ flow, origin, options }: Asked, t: PasskeyWords) {
  const { id, response } = await ask<AuthenticationResponseJSON>(origin, t, () =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
    }),
  )
  const { clientDataJSON = '', authenticatorData = '', signature = '', userHandle = '' } = response
  return { flow, id, clientDataJSON, authenticatorData, signature, userHandle }
}
