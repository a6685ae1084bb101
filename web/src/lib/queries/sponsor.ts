import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { dataOf, errorText, Refusal } from '../api/answer.ts'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'

type Answer = components['schemas']['SponsorResult']

/** The code of the answer to an id that nobody has. */
const UNKNOWN = 'member.sponsor_unknown'
const NOBODY: Answer = { name: '', result: '', code: UNKNOWN }

/** The member with an id. The server refuses an id that cannot exist: that is nobody too. */
export const sponsorOptions = (id: string) =>
  queryOptions({
    queryKey: ['check_sponsorid', id],
    queryFn: async () => {
      try {
        return await dataOf(api.GET('/api/check_sponsorid', { params: { query: { sid: id } } }))
      } catch (error) {
        if (error instanceof Refusal && error.status === 400) return NOBODY
        throw error
      }
    },
  })

export const exists = ({ code }: Answer): boolean => code !== UNKNOWN

/** User ids have at least six digits and begin with no zero: no other id is looked up. */
const ID = /^[1-9]\d{5,}$/

/** The state of a look-up that has no answer yet. */
export interface Lookup {
  /** No answer came; the query may still retry. */
  failed: boolean
  /** Asks again; undefined while the query retries by itself. */
  retry: (() => void) | undefined
  /** The server's text if it was asked too often. */
  refusal: string
}

const limitedOf = (error: unknown): string =>
  error instanceof Refusal && error.status === 429 ? errorText(error, '') : ''

export const lookupOf = (query: UseQueryResult): Lookup => ({
  failed: query.data === undefined && query.failureCount > 0,
  retry: query.isError ? () => void query.refetch() : undefined,
  refusal: limitedOf(query.failureReason),
})

/** Looks an id up while it is typed. */
export function useLookup(id: string) {
  const asked = ID.test(id)
  const query = useQuery({ ...sponsorOptions(id), enabled: asked })
  const { data, isFetching } = query
  return {
    /** Nobody has this id. False while the answer is on its way, or when none came. */
    missing: id !== '' && (!asked || data?.name === ''),
    asking: isFetching,
    ...lookupOf(query),
    person: data && data.name !== '' ? data : undefined,
  }
}
