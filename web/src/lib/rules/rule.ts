import type { Texts } from '../strings/index.ts'

/**
 * A form's checks are a list, in the order in which they are made. The first that fails is what
 * people are told; it names the field that it is about.
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

/** As people and the server count: a letter of a rare script is two units, and one letter. */
const lengthOf = (text: string) => [...text].length

export function atLeast<V>(field: keyof V & string, length: number, text: Text<V>): Rule<V> {
  return { field, text, fails: (values) => lengthOf(String(values[field]).trim()) < length }
}

/** Of a secret every character counts, spaces too, as the server counts them. */
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

/** What an input lets through. */
export const digits = (text: string, most: number) => text.replace(/\D/g, '').slice(0, most)

/** The whole dollars of an amount as it may be pasted: "$4,300.00" is 4300, not 430000. */
export const wholeDollars = (text: string) => text.replace(/\..*$/s, '')

/** An amount as lists and people write it: cents of two places or six, thousands or lakhs by commas. */
const AMOUNT = /^\$?\s*(\d+|\d{1,3}(,\d{2,3})*,\d{3})(\.(\d{2}|\d{6}))?$/

/** Of anything else, such as "1,50" or "1e3", the digits alone would be another amount. */
export const isPastedAmount = (text: string) => AMOUNT.test(text.trim())

/** Never half a letter. */
export const letters = (text: string, most: number) =>
  [...text.replace(/[^\p{L}\p{M} ]/gu, '')].slice(0, most).join('')
