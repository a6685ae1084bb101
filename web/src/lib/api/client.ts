import createClient, { type Client, type Middleware } from 'openapi-fetch'
import { isProblem, PASSWORD_TEMPORARY, SESSION_REQUIRED } from './problem.ts'
import type { paths } from './schema.d.ts'
import { type SessionStore, session } from './session.ts'

/**
 * Calls to the API, typed by its contract (schema.d.ts, which `make contract` writes):
 *
 *     const { data, error } = await api.GET('/api/version')
 *
 * `error` is a problem (problem.ts) if the server answered one. A call that gets no answer throws.
 */

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
const KEY_HEADER = 'Idempotency-Key'

/** crypto.randomUUID exists on https and on localhost only. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const bearer = (token: string) => (token === '' ? null : `Bearer ${token}`)

/** The code of a problem; undefined for every other answer. */
async function codeOf(response: Response): Promise<string> {
  if (!response.headers.get('Content-Type')?.startsWith('application/problem+json')) return ''
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return isProblem(body) ? body.code : ''
}

/**
 * Sends the session's token and handles the session codes of answers. An answer to a request with
 * an older token is ignored: another member may have logged in since.
 */
function withSession(store: SessionStore): Middleware {
  const isCurrent = (request: Request) =>
    request.headers.get('Authorization') === bearer(store.get().jwtToken)

  return {
    onRequest: ({ request }) => {
      const authorization = bearer(store.get().jwtToken)
      if (authorization !== null && !request.headers.has('Authorization')) {
        request.headers.set('Authorization', authorization)
      }
    },
    onResponse: async ({ request, response }) => {
      if (!isCurrent(request)) return
      const code = await codeOf(response)
      if (code === SESSION_REQUIRED) {
        if (isCurrent(request)) store.expire()
        return
      }
      if (code === PASSWORD_TEMPORARY && isCurrent(request)) store.set({ mustChange: true })
      const renewed = response.headers.get('X-Renewed-Token')
      if (renewed && store.get().isAuth) store.set({ jwtToken: renewed })
    },
  }
}

/** Gives every call that changes something an idempotency key. */
const withKey: Middleware = {
  onRequest: ({ request }) => {
    if (!SAFE_METHODS.has(request.method) && !request.headers.has(KEY_HEADER)) {
      request.headers.set(KEY_HEADER, newKey())
    }
  },
}

/** The timeouts of calls, in milliseconds. */
export interface Patience {
  read: number
  write: number
  /** Calls that block the user, with a timeout of their own. */
  calls?: Readonly<Record<string, number>>
}

/**
 * A call that times out is treated like one whose answer was lost: the server may have processed
 * it. A file may take as long as its size needs.
 */
const within = ({ read, write, calls }: Patience): Middleware => ({
  onRequest: ({ request, schemaPath, options }) => {
    if (options.parseAs === 'blob') return
    const limit = calls?.[schemaPath] ?? (SAFE_METHODS.has(request.method) ? read : write)
    return new Request(request, { signal: AbortSignal.timeout(limit) })
  },
})

/** Whether a call timed out; browsers name the error differently. */
export const isTooLate = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'name' in error &&
  (error.name === 'TimeoutError' || error.name === 'AbortError')

interface Options {
  baseUrl: string
  session: SessionStore
  /** Without it calls never time out. */
  patience?: Patience
  /** Sends a request; the browser's fetch by default. */
  fetch?: (request: Request) => Promise<Response>
}

export function createApi<Paths extends object = paths>(options: Options): Client<Paths> {
  const client = createClient<Paths>({
    baseUrl: options.baseUrl,
    // Looked up at each call, so that a test may replace the browser's fetch.
    fetch: options.fetch ?? ((request) => globalThis.fetch(request)),
  })
  client.use(withSession(options.session), withKey)
  if (options.patience) client.use(within(options.patience))
  return client
}

const PATIENCE: Patience = { read: 15_000, write: 30_000, calls: { '/api/ip': 5_000 } }

export const api = createApi({ baseUrl: location.origin, session, patience: PATIENCE })
