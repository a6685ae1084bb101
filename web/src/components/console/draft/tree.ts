import { exactMoney } from '@/lib/money.ts'
import { type Coded, serverText } from '@/lib/strings/serverText.ts'

/** A JSON document that is edited, and the paths by which the server names its values. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

export const isList = (value: Json): value is Json[] => Array.isArray(value)

export const isObject = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `site` and `risk` are `site.risk`; `items` and 2 are `items[2]`. */
export const join = (at: string, step: string | number): string =>
  typeof step === 'number' ? `${at}[${step}]` : at === '' ? step : `${at}.${step}`

const steps = (path: string): (string | number)[] =>
  [...path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index))

/** The value at a path; undefined if there is none. */
export function at(value: Json, path: string): Json | undefined {
  let here: Json | undefined = value
  for (const step of steps(path)) {
    if (here === undefined || typeof here !== 'object' || here === null) return undefined
    here = (here as Record<string | number, Json>)[step]
  }
  return here
}

/** The document with another value at a path. */
export function withAt(value: Json, path: string, next: Json): Json {
  const [step, ...rest] = steps(path)
  if (step === undefined) return next
  const below = rest.reduce<string>(join, '')
  if (isList(value) && typeof step === 'number') {
    return value.map((item, index) => (index === step ? withAt(item, below, next) : item))
  }
  if (!isObject(value)) return value
  return { ...value, [step]: withAt(value[step] ?? null, below, next) }
}

/** An empty value of the same shape, for a new entry of a list. */
export function blankOf(value: Json): Json {
  if (typeof value === 'string') return ''
  if (typeof value === 'number') return 0
  if (isList(value)) return value.slice(0, 1).map(blankOf)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, blankOf(inner)]))
}

/** The value where it has the shape of the sample, and the sample elsewhere. */
export function conform(sample: Json, value: Json | undefined): Json {
  if (isList(sample)) {
    if (value === undefined || !isList(value)) return sample
    const [entry] = sample
    return entry === undefined ? value : value.map((item) => conform(entry, item))
  }
  if (isObject(sample)) {
    const given = value !== undefined && isObject(value) ? value : {}
    return Object.fromEntries(
      Object.entries(sample).map(([key, inner]) => [key, conform(inner, given[key])]),
    )
  }
  return value !== undefined && typeof value === typeof sample ? value : sample
}

/** The parsed text; undefined if it is not JSON. */
export function parseJson(text: string): { value: Json } | null {
  try {
    return { value: JSON.parse(text) as Json }
  } catch {
    return null
  }
}

const MONEY = new Set([
  'fund_alone_daily',
  'fund_two_above',
  'withdraw_member_daily',
  'withdraw_total_daily',
  'withdraw_two_above',
  'withdraw_factor_above',
])

/** Formats the value as dollars if its path is an amount's. */
export const readable = (path: string, text: string): string =>
  MONEY.has(path) && /^\d{1,12}(\.\d{1,6})?$/.test(text) ? exactMoney(text) : text

/** An amount without trailing zeros, for an input. */
export const typed = (path: string, text: string): string =>
  MONEY.has(path) ? text.replace(/(\.\d\d)0{4}$/, '$1') : text

export interface Mistake extends Coded {
  field: string
  message: string
}

/** The mistakes at a path, in one line. */
export const mistakesAt = (mistakes: readonly Mistake[], path: string): string | undefined =>
  mistakes
    .filter(({ field }) => field === path)
    .map((mistake) => serverText(mistake.message, mistake))
    .join('; ') || undefined
