import { useQuery } from '@tanstack/react-query'
import { answerOf } from './answer.ts'
import { api } from './client.ts'

/** User ids have at least six digits and begin with no zero: else there is nobody to ask for. */
const ID = /^[1-9]\d{5,}$/

/** Whose id it is, asked while it is typed. */
export function useLookup(id: string) {
  const asked = ID.test(id)
  const { data, isError, isFetching } = useQuery({
    queryKey: ['check_sponsorid', id],
    enabled: asked,
    queryFn: async () =>
      (await answerOf(api.GET('/api/check_sponsorid', { params: { query: { sid: id } } }))).data,
  })
  return {
    /** Nobody has this id. Not known while the answer is on its way, or when none came. */
    missing: id !== '' && (!asked || data?.name === ''),
    asking: isFetching,
    failed: isError,
    person: data && data.name !== '' ? data : undefined,
  }
}
