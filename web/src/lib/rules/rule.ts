import type { Texts } from '../strings/index.ts'

/**
 * The checks of a form are a list in order. The first that fails gives the text and names its
 * field.
 */
export interface Rule<Values> {
  field: keyof Values & string
  text: (texts: Texts['rules']) => string
  fails: (values: Values) => boolean
}

export interface Failure {
  field: string
  text: string
}

export function firstFailure<Values>(
  values: Values,
  rules: readonly Rule<Values>[],
  strings: Texts,
): Failure | null {
  const failed = rules.find((rule) => rule.fails(values))
  return failed ? { field: failed.field, text: failed.text(strings.rules) } : null
}

type Text<Values> = Rule<Values>['text']

const isBlank = (value: unknown) => typeof value !== 'string' || value.trim() === ''

export function required<V>(field: keyof V & string, text: Text<V>): Rule<V> {
  return { field, text, fails: (values) => isBlank(values[field]) }
}

/**
 * The length in characters, as the server counts it: a letter of a rare script is two UTF-16 units.
 */
const lengthOf = (text: string) => [...text].length

export function atLeast<V>(field: keyof V & string, length: number, text: Text<V>): Rule<V> {
  return { field, text, fails: (values) => lengthOf(String(values[field]).trim()) < length }
}

/** The length of a secret: every character counts, spaces too, as on the server. */
export function secretAtLeast<V>(field: keyof V & string, length: number, text: Text<V>): Rule<V> {
  return { field, text, fails: (values) => lengthOf(String(values[field])) < length }
}

export function atMost<V>(field: keyof V & string, length: number, text: Text<V>): Rule<V> {
  return { field, text, fails: (values) => lengthOf(String(values[field])) > length }
}

/** At least three non-space characters before the @, then a domain with a dot. */
const EMAIL = /^\S{3,}@[^\s@]+\.[^\s@]+$/

export function email<V>(field: keyof V & string, text: Text<V>): Rule<V> {
  return { field, text, fails: (values) => !EMAIL.test(String(values[field])) }
}

export function same<V>(field: keyof V & string, other: keyof V & string, text: Text<V>): Rule<V> {
  return { field, text, fails: (values) => values[field] !== values[other] }
}

/** The characters that an input accepts. */
export const digits = (text: string, most: number) => text.replace(/\D/g, '').slice(0, most)

/** The whole dollars of a pasted amount: "$4,300.00" is 4300, not 430000. */
export const wholeDollars = (text: string) => text.replace(/\..*$/s, '')

/**
 * An amount as lists and people write it: two or six decimals, thousands or lakhs separated by
 * commas.
 */
const AMOUNT = /^\$?\s*(\d+|\d{1,3}(,\d{2,3})*,\d{3})(\.(\d{2}|\d{6}))?$/

/** Any other text is refused: the digits of "1,50" or "1e3" would be a different amount. */
export const isPastedAmount = (text: string) => AMOUNT.test(text.trim())

/** Letters, marks, spaces, and the apostrophes and hyphens within names; never half a character. */
export const letters = (text: string, most: number) =>
  [...text.replace(/[^\p{L}\p{M} '’-]/gu, '')].slice(0, most).join('')
