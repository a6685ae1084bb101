import { others as errorsOf } from 'messages:errors'
import { brands, languages } from 'messages:languages'
import { others } from 'messages:site'
import { useSyncExternalStore } from 'react'
import { translated } from '../brand.ts'
import { chosen, keepChoice } from '../choices.ts'
import { english, type Strings } from './index.ts'
import { type Errors, setLocale, type Terms } from './serverText.ts'

export { languages }

/** A folder of messages/. English is bundled; the other languages are fetched when chosen. */
type Language = string

interface Loaded {
  strings: Strings
  /** The brand's texts by their English text, such as the names of packages. */
  named: Terms
  errors: Errors
}

async function load(language: Language): Promise<Loaded> {
  const site = others[language]
  if (!site) return { strings: english, named: {}, errors: {} }
  const [texts, brand, errors] = await Promise.all([
    site(),
    brands[language]?.(),
    errorsOf[language]?.(),
  ])
  return {
    strings: { ...texts, brand: translated(brand ?? {}) },
    named: brand ?? {},
    errors: errors ?? {},
  }
}

const localeOf = (language: Language) => languages[language]?.locale ?? language

setLocale(localeOf('en'), english.terms, {})

export const LANGUAGE_KEY = 'bifolia.language'

interface Current {
  language: Language
  strings: Strings
}

let current: Current = { language: 'en', strings: english }
const listeners = new Set<() => void>()

/**
 * The open lazy parts of the app: each fetches its texts and returns a function that shows them.
 */
const parts = new Set<(to: Current) => Promise<() => void>>()

/**
 * Changes run one after the other, so that a part that opens during a change gets the new language.
 */
let last: Promise<unknown> = Promise.resolve()
function enqueue(change: () => Promise<void>): Promise<void> {
  const done = last.then(change)
  last = done.catch(() => undefined)
  return done
}

const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(languages, value)

/** Rejects without a change if a file of the language cannot be fetched. */
const switchTo = (language: Language) =>
  enqueue(async () => {
    const { strings, named, errors } = await load(language)
    const next = { language, strings }
    const shows = await Promise.all([...parts].map((fetch) => fetch(next)))
    current = next
    setLocale(localeOf(language), { ...named, ...strings.terms }, errors)
    for (const show of shows) show()
    document.documentElement.lang = language
    for (const listener of [...listeners]) listener()
  })

export async function chooseLanguage(language: Language): Promise<void> {
  await switchTo(language)
  keepChoice(LANGUAGE_KEY, language)
}

/** A search engine leads to an address in one language, such as /?lang=hi. */
const asked = () => new URLSearchParams(location.search).get('lang')

/**
 * Restores the choice of language before the first render, and when another tab may have changed
 * it. If that fails the current language stays.
 */
export async function restoreLanguage(): Promise<void> {
  try {
    const saved = asked() ?? chosen(LANGUAGE_KEY)
    if (isLanguage(saved) && saved !== current.language) await switchTo(saved)
  } catch {
    // The file could not be fetched.
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

const currentOne = () => current

export const useLanguage = (): Current => useSyncExternalStore(subscribe, currentOne, currentOne)

/**
 * The texts of a lazy part of the app, beside those of the first page. Its route calls `open`
 * before the first render; after that the part follows every change of language.
 */
export function lazyTexts<Texts extends object>(
  texts: Texts,
  others: Record<Language, () => Promise<Texts>>,
) {
  let shown: Strings & Texts = { ...english, ...texts }
  const fetch = async ({ language, strings }: Current) => {
    const fetched = (await others[language]?.()) ?? texts
    return () => {
      shown = { ...strings, ...fetched }
    }
  }
  const shownOnes = () => shown
  return {
    use: (): Strings & Texts => useSyncExternalStore(subscribe, shownOnes, shownOnes),
    open: () =>
      enqueue(async () => {
        const show = await fetch(current)
        parts.add(fetch)
        show()
      }),
  }
}
