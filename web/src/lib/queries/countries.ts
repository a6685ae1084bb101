import { queryOptions, useQuery } from '@tanstack/react-query'
import { dataOf } from '../api/answer.ts'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { currentLocale } from '../strings/serverText.ts'

type Country = components['schemas']['Country']

/** The server sends English names; the browser has those of other languages. */
function named(countries: readonly Country[]): readonly Country[] {
  if (currentLocale().startsWith('en')) return countries
  const names = new Intl.DisplayNames(currentLocale(), { type: 'region' })
  const { compare } = new Intl.Collator(currentLocale())
  return countries
    .map((country) => ({ ...country, name: names.of(country.iso) ?? country.name }))
    .sort((one, other) => compare(one.name, other.name))
}

export const countriesOptions = queryOptions({
  queryKey: ['countryList'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => (await dataOf(api.GET('/api/countryList')))[0] ?? [],
})

/** Every country, for a select. */
export function useCountryOptions(): { value: string; label: string }[] {
  const { data = [] } = useQuery(countriesOptions)
  return named(data).map(({ id, name }) => ({ value: String(id), label: name }))
}
