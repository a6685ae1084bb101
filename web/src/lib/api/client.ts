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

/** Not crypto.randomUUID: browsers have that on https and on localhost only. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const bearer = (token: string) => (token === '' ? null : `Bearer ${token}`)

/** The code of a problem; nothing of any other answer. */
async function codeOf(response: Response): Promise<string> {
  if (!response.headers.get('Content-Type')?.startsWith('application/problem+json')) return ''
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return isProblem(body) ? body.code : ''
}

/**
 * Sends the session's token and takes over what answers say about it. An answer that was asked
 * for with another token than today's says nothing: someone else may have logged in since.
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

/** Gives every call that changes something a key, under which it is done once. */
const withKey: Middleware = {
  onRequest: ({ request }) => {
    if (!SAFE_METHODS.has(request.method) && !request.headers.has(KEY_HEADER)) {
      request.headers.set(KEY_HEADER, newKey())
    }
  },
}

/** How long a call may take, in milliseconds. */
export interface Patience {
  read: number
  write: number
  /** Calls that somebody waits for with nothing else to do. */
  calls?: Readonly<Record<string, number>>
}

/**
 * What takes longer is not answered, like what got lost on the way: it may have been done. A file
 * takes as long as it is large.
 */
const within = ({ read, write, calls }: Patience): Middleware => ({
  onRequest: ({ request, schemaPath, options }) => {
    if (options.parseAs === 'blob') return
    const limit = calls?.[schemaPath] ?? (SAFE_METHODS.has(request.method) ? read : write)
    return new Request(request, { signal: AbortSignal.timeout(limit) })
  },
})

/** Whether a call was given up because nothing answered in time; browsers name it differently. */
export const isTooLate = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'name' in error &&
  (error.name === 'TimeoutError' || error.name === 'AbortError')

interface Options {
  baseUrl: string
  session: SessionStore
  /** Without it calls take as long as they take. */
  patience?: Patience
  /** What sends a request; the browser's fetch unless given. */
  fetch?: (request: Request) => Promise<Response>
}

export function createApi<Paths extends object = paths>(options: Options): Client<Paths> {
  const client = createClient<Paths>({
    baseUrl: options.baseUrl,
    // Looked up at each call: whoever replaces the browser's fetch later is heard.
    fetch: options.fetch ?? ((request) => globalThis.fetch(request)),
  })
  client.use(withSession(options.session), withKey)
  if (options.patience) client.use(within(options.patience))
  return client
}

const PATIENCE: Patience = { read: 15_000, write: 30_000, calls: { '/api/ip': 5_000 } }

export const api = createApi({ baseUrl: location.origin, session, patience: PATIENCE })
