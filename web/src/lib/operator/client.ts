import { createApi } from '../api/client.ts'
import { createQueryClient } from '../api/query.ts'
import { createSessionStore, OPERATOR_STORAGE_KEY } from '../api/session.ts'
import { fetchProving } from './proof.ts'

/** The operator of this tab. Signing out here leaves the member's session alone. */
export const operatorSession = createSessionStore(OPERATOR_STORAGE_KEY)

/** Calls with the operator's token. */
export const operatorApi = createApi({
  baseUrl: location.origin,
  session: operatorSession,
  fetch: fetchProving,
})

/** What operators read; forgotten when another one signs in. */
export const operatorQueries = createQueryClient(operatorSession)

/** When the server last heard of this session: it ends some time after that. */
let heard = Date.now()
export const lastHeard = () => heard

operatorApi.use({
  onResponse: () => {
    heard = Date.now()
  },
})
