import { QueryClient } from '@tanstack/react-query'
import { Refusal } from './answer.ts'
import { isTooLate } from './client.ts'
import { type SessionStore, session } from './session.ts'

const MAX_RETRIES = 2

/** The longest wait, in seconds, after which what was asked too often is asked again by itself. */
const LONGEST_WAIT = 10

/** Asked too often, and the server says that it may be asked again soon. */
const isSoon = (error: unknown): error is Refusal & { retryAfter: number } =>
  error instanceof Refusal && error.status === 429 && (error.retryAfter ?? Infinity) <= LONGEST_WAIT

/**
 * What the server refused it refuses again, unless it was asked too often and says to come back
 * soon; what did not arrive may arrive next time. Who has waited as long as one may is told, and
 * tries again by hand.
 */
function isWorthRetrying(failures: number, error: unknown): boolean {
  const refused = error instanceof Refusal && error.status < 500 && !isSoon(error)
  return !refused && !isTooLate(error) && failures < MAX_RETRIES
}

/** How long to wait, in milliseconds, before asking again. */
const waitOf = (failures: number, error: unknown): number =>
  isSoon(error) ? error.retryAfter * 1000 : Math.min(1000 * 2 ** failures, 30_000)

/**
 * What was read from the server. It belongs to whoever is signed in: when that changes, by logging
 * out, by the server ending the session, or by someone else logging in, all of it is forgotten.
 */
export function createQueryClient(store: SessionStore): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      // Offline, a call fails and says so; paused, it would leave nothing or old rows without a word.
      queries: {
        networkMode: 'always',
        retry: isWorthRetrying,
        retryDelay: waitOf,
        refetchOnWindowFocus: false,
        refetchOnReconnect: true,
        staleTime: 10_000,
      },
      mutations: { networkMode: 'always' },
    },
  })
  let owner = store.get().userId
  store.subscribe(() => {
    const { userId } = store.get()
    if (userId === owner) return
    owner = userId
    void client.cancelQueries()
    client.clear()
  })
  return client
}

export const queryClient = createQueryClient(session)
