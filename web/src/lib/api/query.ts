import { QueryClient } from '@tanstack/react-query'
import { Refusal } from './answer.ts'
import { isTooLate } from './client.ts'
import { type SessionStore, session } from './session.ts'

const MAX_RETRIES = 2

/**
 * What the server refused it refuses again; what did not arrive may arrive next time. Who has
 * waited as long as one may is told, and tries again by hand.
 */
function isWorthRetrying(failures: number, error: unknown): boolean {
  const refused = error instanceof Refusal && error.status < 500
  return !refused && !isTooLate(error) && failures < MAX_RETRIES
}

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
