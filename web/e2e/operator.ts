import { PAST_MIDNIGHT_MS } from './noon.ts'
import { post } from './people.ts'
import type { Demo } from './server.ts'
import { nextCode } from './totp.ts'

/** Signs the demo's operator in with password and code. Returns the session's token. */
export async function signInOperator(
  url: string,
  { email, password, secret }: Demo['operator'],
  aheadMs = PAST_MIDNIGHT_MS,
): Promise<string> {
  const body = { email, password, code: await nextCode(secret, aheadMs) }
  const { data, token } = await post<{ data: { result: string }; token?: string }>(
    `${url}/api/operator/login`,
    body,
  )
  if (!token) throw new Error(`The operator could not sign in: ${data.result}`)
  await post(`${url}/api/operator/prove`, { proof: password }, token)
  return token
}

/** A one-time link for a visit to a member's account. */
export async function mintTicket(url: string, token: string, uid: string, reason: string) {
  const { data } = await post<{ data: { enpass: string; link: string } }>(
    `${url}/api/operator/ticket`,
    { uid, reason },
    token,
  )
  return data
}
