import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { answerOf, Refusal } from '../api/answer.ts'
import { api } from '../api/client.ts'

/** User ids have at least six digits and begin with no zero: else there is nobody to ask for. */
const ID = /^[1-9]\d{5,}$/

/** How the look-up of an id stands that nobody has answered yet. */
export interface Lookup {
  /** Nobody answered; it may still be asked again by itself. */
  failed: boolean
  /** Asks again, when nothing does so by itself any more. */
  retry: (() => void) | undefined
  /** What the server says when it was asked too often. */
  refusal: string
}

const limitedOf = (error: unknown): string =>
  error instanceof Refusal && error.status === 429 ? error.message : ''

export const lookupOf = (query: UseQueryResult): Lookup => ({
  failed: query.data === undefined && query.failureCount > 0,
  retry: query.isError ? () => void query.refetch() : undefined,
  refusal: limitedOf(query.failureReason),
})

/** Whose id it is, asked while it is typed. */
export function useLookup(id: string) {
  const asked = ID.test(id)
  const query = useQuery({
    queryKey: ['check_sponsorid', id],
    enabled: asked,
    queryFn: async () =>
      (await answerOf(api.GET('/api/check_sponsorid', { params: { query: { sid: id } } }))).data,
  })
  const { data, isFetching } = query
  return {
    /** Nobody has this id. Not known while the answer is on its way, or when none came. */
    missing: id !== '' && (!asked || data?.name === ''),
    asking: isFetching,
    ...lookupOf(query),
    person: data && data.name !== '' ? data : undefined,
  }
}
