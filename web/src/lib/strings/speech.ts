/**
 * The reader's language, for what has no text of its own in the string files: dates, and the words
 * that the server sends. Whoever shows them is drawn anew when the language changes, because its
 * other texts change with it (language.ts).
 */

/** The server's words as keys; `{}` in a key is anything, and `{1}` in its text the first of them. */
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

export function speak(nextLocale: string, terms: Terms): void {
  locale = nextLocale
  exact = terms
  shapes = Object.entries(terms)
    .filter(([key]) => key.includes('{}'))
    // What says more is meant: it could be read as a shorter one too.
    .sort(([one], [other]) => other.length - one.length)
    .map(([key, text]) => ({ pattern: patternOf(key), text }))
}

/** What Intl calls the reader's language. */
export const spoken = (): string => locale

/**
 * A word or sentence of the server's as the reader is told it. What is not known stays as it is,
 * as all that people wrote does.
 */
export function term(said: string): string {
  if (Object.hasOwn(exact, said)) return exact[said] ?? said
  for (const { pattern, text } of shapes) {
    const parts = pattern.exec(said)
    if (parts) return text.replace(/\{(\d)\}/g, (_, at) => term(parts[Number(at)] ?? ''))
  }
  return said
}

/** Several terms in one text: "capped, scaled". */
export const termList = (said: string): string => said.split(', ').map(term).join(', ')
