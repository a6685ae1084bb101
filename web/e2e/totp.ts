import { createHmac } from 'node:crypto'
import { PAST_MIDNIGHT_MS } from './noon.ts'

/** Authenticator apps of operators (RFC 6238). */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const STEP_MS = 30_000

function decode(base32: string): Buffer {
  const bits = [...base32].map((c) => ALPHABET.indexOf(c).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** Six digits for a step of thirty seconds. */
function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', decode(secret)).update(counter).digest()
  const at = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

const used = new Map<string, number>()

/**
 * An unused code: each is valid once. It is of this step or the next, so that it is still valid
 * when a slow page sends it in the step after: the server accepts neighbouring steps. `aheadMs` is
 * the offset of the server's clock.
 */
export async function nextCode(secret: string, aheadMs = PAST_MIDNIGHT_MS): Promise<string> {
  const stepNow = () => Math.floor((Date.now() + aheadMs) / STEP_MS)
  const step = Math.max((used.get(secret) ?? 0) + 1, stepNow())
  used.set(secret, step)
  while (step > stepNow() + 1) await new Promise((resolve) => setTimeout(resolve, 500))
  return codeAt(secret, step)
}
