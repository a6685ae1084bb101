import { useQuery } from '@tanstack/react-query'
import { exists, type Lookup, lookupOf, sponsorOptions } from '@/lib/queries/sponsor.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import { phoneCodeOptions } from './queries.ts'

export interface Sponsor {
  known: boolean
  name: string
}

/** The sponsor with an id, looked up at every change of it; `sponsor` is undefined until an answer comes. */
export function useSponsor(id: string): Lookup & { sponsor: Sponsor | undefined } {
  const query = useQuery({
    ...sponsorOptions(id),
    enabled: id !== '' && id.length <= LIMITS.sponsor,
  })
  const { data } = query
  return { ...lookupOf(query), sponsor: data && { known: exists(data), name: data.name } }
}

/** The country and code before a choice. */
export const DEFAULT_COUNTRY = { id: '99', phonecode: '91' }

export function usePhoneCode(country: string): string {
  const { data } = useQuery({ ...phoneCodeOptions(country), enabled: country !== '' })
  if (country === '') return ''
  return data ?? (country === DEFAULT_COUNTRY.id ? DEFAULT_COUNTRY.phonecode : '')
}
