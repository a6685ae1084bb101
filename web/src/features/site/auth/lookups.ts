import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { answerOf, Refusal } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { type Lookup, lookupOf } from '@/lib/queries/sponsor.ts'
import { LIMITS } from '@/lib/rules/limits.ts'

/** What the look-up says of an id that nobody has. */
const NOBODY = 'Sponsor Id doesnot exists !!'

export interface Sponsor {
  known: boolean
  name: string
}

async function lookUpSponsor(id: string): Promise<Sponsor> {
  try {
    const query = { sid: id }
    const { data } = await answerOf(api.GET('/api/check_sponsorid', { params: { query } }))
    return { known: data.result !== NOBODY, name: data.name }
  } catch (error) {
    // An id that can be nobody's is refused as such.
    if (error instanceof Refusal && error.status === 400) return { known: false, name: '' }
    throw error
  }
}

/** Who has this id. Asked again at every change of it; `sponsor` is undefined until somebody answers. */
export function useSponsor(id: string): Lookup & { sponsor: Sponsor | undefined } {
  const query = useQuery({
    queryKey: ['check_sponsorid', id],
    enabled: id !== '' && id.length <= LIMITS.sponsor,
    queryFn: () => lookUpSponsor(id),
  })
  return { ...lookupOf(query), sponsor: query.data }
}

/** Before anything was chosen: this country, with this code. */
export const DEFAULT_COUNTRY = { id: '99', phonecode: '91' }

export function usePhoneCode(country: string): string {
  const { data } = useQuery({
    queryKey: ['GetcountrybyID', country],
    enabled: country !== '',
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const query = { id: country }
      const { data } = await answerOf(api.GET('/api/GetcountrybyID', { params: { query } }))
      return data[0]?.[0]?.phonecode ?? ''
    },
  })
  if (country === '') return ''
  return data ?? (country === DEFAULT_COUNTRY.id ? DEFAULT_COUNTRY.phonecode : '')
}
