import { createHmac } from 'node:crypto'
import type { Demo } from './server.ts'

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function decode(secret: string): Buffer {
  const bits = [...secret].map((c) => BASE32.indexOf(c).toString(2).padStart(5, '0')).join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

/** What an authenticator app shows now (RFC 6238). */
export function codeOf(secret: string, now = Date.now()): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)))
  const mac = createHmac('sha1', decode(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

async function post<Answer>(url: string, body: object, token?: string): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Answer
}

/** Signs the demo's operator in, with password and code. Answers the session's token. */
export async function signInOperator(url: string, operator: Demo['operator']): Promise<string> {
  const { email, password, secret } = operator
  const body = { email, password, code: codeOf(secret) }
  const { data, token } = await post<{ data: { result: string }; token?: string }>(
    `${url}/api/operator/login`,
    body,
  )
  if (!token) throw new Error(`The operator could not sign in: ${data.result}`)
  return token
}

/** A one-time link into a member's account. */
export async function mintTicket(url: string, token: string, uid: string, reason: string) {
  const { data } = await post<{ data: { enpass: string; link: string } }>(
    `${url}/api/operator/ticket`,
    { uid, reason },
    token,
  )
  return data
}
