import { createApi } from '../api/client.ts'
import { createQueryClient } from '../api/query.ts'
import { createSessionStore, OPERATOR_STORAGE_KEY } from '../api/session.ts'
import { fetchProving } from './proof.ts'

/** The operator's session of this tab. Its log-out does not change the member's session. */
export const operatorSession = createSessionStore(OPERATOR_STORAGE_KEY)

/** Calls with the operator's token. */
export const operatorApi = createApi({
  baseUrl: location.origin,
  session: operatorSession,
  fetch: fetchProving,
})

/** The cache of the operator's reads; cleared when another operator signs in. */
export const operatorQueries = createQueryClient(operatorSession)

/** The time of the server's last answer: the session ends some time after it. */
let heard = Date.now()
export const lastHeard = () => heard

operatorApi.use({
  onResponse: () => {
    heard = Date.now()
  },
})
