import { QueryClient } from '@tanstack/react-query'
import { Refusal } from './answer.ts'
import { isTooLate } from './client.ts'
import { type SessionStore, session } from './session.ts'

const MAX_RETRIES = 2

/** The longest Retry-After, in seconds, that is retried without the user. */
const LONGEST_WAIT = 10

/** The server limits the rate and allows another try within seconds. */
const isRateLimited = (error: unknown): error is Refusal & { retryAfter: number } =>
  error instanceof Refusal && error.status === 429 && (error.retryAfter ?? Infinity) <= LONGEST_WAIT

/**
 * A refusal is final, unless the server limits the rate and allows another try soon; a call that
 * got no answer is retried. A call that has timed out is not: the user is told and may retry.
 */
function isWorthRetrying(failures: number, error: unknown): boolean {
  const refused = error instanceof Refusal && error.status < 500 && !isRateLimited(error)
  return !refused && !isTooLate(error) && failures < MAX_RETRIES
}

/** The delay before a retry, in milliseconds. */
const waitOf = (failures: number, error: unknown): number =>
  isRateLimited(error) ? error.retryAfter * 1000 : Math.min(1000 * 2 ** failures, 30_000)

/**
 * The cache of reads. It is cleared when the signed-in person changes: at a log-out, when the
 * server ends the session, or when another person logs in.
 */
export function createQueryClient(store: SessionStore): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      // Offline, a read fails and shows an error. Paused, it would show nothing or old rows.
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
