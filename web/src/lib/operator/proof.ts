import { isProblem, PROOF_REQUIRED } from '../api/problem.ts'

/**
 * Some calls need a proof of identity from the last minutes beside the session. When the server
 * asks for one, a dialog asks the operator, and the same request is sent again with the same body
 * and the same idempotency key.
 */

/** Asks the operator for a proof; resolves to whether it was given. */
type Ask = () => Promise<boolean>

let ask: Ask | undefined
let asking: Promise<boolean> | undefined

/** Installs the dialog that asks, until the returned function is called. */
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

/** The browser's fetch, which asks for a proof when the server does. */
export async function fetchProving(request: Request): Promise<Response> {
  const again = request.clone()
  const response = await globalThis.fetch(request)
  if (!ask || !(await lacksProof(response))) return response
  asking ??= ask().finally(() => {
    asking = undefined
  })
  return (await asking) ? globalThis.fetch(again) : response
}
