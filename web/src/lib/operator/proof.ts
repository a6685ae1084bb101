import { isProblem, PROOF_REQUIRED } from '../api/problem.ts'

/**
 * Some calls need a proof of the last minutes that the operator is there, beyond the session. When
 * one is answered so, the dialog asks, and the same request is sent again: with the same body and
 * the same idempotency key.
 */

/** Asks the person for a proof; answers whether one was given. */
type Ask = () => Promise<boolean>

let ask: Ask | undefined
let asking: Promise<boolean> | undefined

/** Takes over asking, until the returned function is called. */
export function askProofBy(next: Ask): () => void {
  ask = next
  return () => {
    if (ask === next) ask = undefined
  }
}

async function lacksProof(response: Response): Promise<boolean> {
  if (response.status !== 403) return false
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return isProblem(body) && body.code === PROOF_REQUIRED
}

/** The browser's fetch, which asks for a proof where the server does. */
export async function fetchProving(request: Request): Promise<Response> {
  const again = request.clone()
  const response = await globalThis.fetch(request)
  if (!ask || !(await lacksProof(response))) return response
  asking ??= ask().finally(() => {
    asking = undefined
  })
  return (await asking) ? globalThis.fetch(again) : response
}
