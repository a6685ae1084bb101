/**
 * The user's language for texts that are not messages: dates, and sentences of the server. A change
 * of language renders every component that shows them again, because its other texts change too
 * (language.ts).
 */

/**
 * The server's sentences as keys; `{}` in a key stands for any text, and `{1}` in its translation
 * for the first of them.
 */
export type Terms = Readonly<Record<string, string>>

interface Shape {
  pattern: RegExp
  text: string
}

let locale = 'en-GB'
let exact: Terms = {}
let shapes: readonly Shape[] = []

const patternOf = (key: string) =>
  new RegExp(`^${key.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll('{}', '(.+?)')}$`)

export function setLocale(nextLocale: string, terms: Terms): void {
  locale = nextLocale
  exact = terms
  shapes = Object.entries(terms)
    .filter(([key]) => key.includes('{}'))
    // The longest pattern wins: a sentence may match a shorter one too.
    .sort(([one], [other]) => other.length - one.length)
    .map(([key, text]) => ({ pattern: patternOf(key), text }))
}

/** The user's locale for Intl. */
export const currentLocale = (): string => locale

/**
 * A sentence of the server in the user's language. Unknown texts, such as those that people wrote,
 * are not changed.
 */
export function term(sentence: string): string {
  if (Object.hasOwn(exact, sentence)) return exact[sentence] ?? sentence
  for (const { pattern, text } of shapes) {
    const parts = pattern.exec(sentence)
    if (parts) return text.replace(/\{(\d)\}/g, (_, at) => term(parts[Number(at)] ?? ''))
  }
  return sentence
}

/** Several terms in one text: "capped, scaled". */
export const termList = (sentence: string): string => sentence.split(', ').map(term).join(', ')
