import type { components } from './api/schema.d.ts'
import { named } from './strings/named.ts'

type Schemas = components['schemas']

/** The brand: the operator's texts and counters. */
export type Brand = Schemas['Site'] & { counters: Schemas['ShownCounter'][] }

/** The texts of a brand in another language, by their English text. */
export type Translations = Readonly<Record<string, string>>

/** The brand comes with the page (internal/platform/webui), so that the first paint needs no request. */
function readPage(): Schemas['Public'] {
  const data = document.getElementById('brand')?.textContent
  if (!data) throw new Error('The page carries no brand')
  return JSON.parse(data)
}

function mapTexts<T>(value: T, map: (text: string) => string): T {
  if (typeof value === 'string') return map(value) as T
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map)) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, map)])
  return Object.fromEntries(entries)
}

const { site, counters, demo } = readPage()

export const brand: Brand = { ...site, counters }

/** The installation is a demo: all people and money are invented. */
export const isDemo: boolean = demo

/** Texts that have no translation are shown as the operator wrote them. */
export const translated = (texts: Translations): Brand =>
  mapTexts(brand, (text) => named(texts, text))
