import type { components } from './api/schema.d.ts'
import { named } from './strings/named.ts'

type Schemas = components['schemas']

/** What the operator's brand file says, with its counters. */
export type Brand = Schemas['Site'] & { counters: Schemas['ShownCounter'][] }

/** Texts of a brand in another language, by the text they stand for. */
export type Translations = Readonly<Record<string, string>>

/** The brand comes with the page (internal/platform/webui), so that nothing waits for it and nothing jumps. */
function readBrand(): Brand {
  const data = document.getElementById('brand')?.textContent
  if (!data) throw new Error('The page carries no brand')
  const { site, counters }: Schemas['Public'] = JSON.parse(data)
  return { ...site, counters }
}

function mapTexts<T>(value: T, map: (text: string) => string): T {
  if (typeof value === 'string') return map(value) as T
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map)) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, map)])
  return Object.fromEntries(entries)
}

export const brand: Brand = readBrand()

/** What an operator wrote is shown as it was written; what has a translation is translated. */
export const translated = (texts: Translations): Brand =>
  mapTexts(brand, (text) => named(texts, text))
