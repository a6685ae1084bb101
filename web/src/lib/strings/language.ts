import { useSyncExternalStore } from 'react'
import { translated } from '../brand.ts'
import { chosen, keepChoice } from '../choices.ts'
import { english, type Strings } from './index.ts'
import { speak, type Terms } from './speech.ts'

/**
 * The languages of the product. English comes with what says it; every other language is fetched
 * when somebody chooses it, and kept for the next visit.
 */
interface Loaded {
  strings: Strings
  /** How the server's own words are told. */
  terms: Terms
}

async function loadHindi(): Promise<Loaded> {
  const { hi, brandTexts, terms } = await import('./hi/index.ts')
  return { strings: { ...hi, brand: translated(brandTexts) }, terms }
}

export const languages = {
  en: {
    name: 'English',
    locale: 'en-GB',
    load: async (): Promise<Loaded> => ({ strings: english, terms: {} }),
  },
  hi: { name: 'हिन्दी', locale: 'hi-IN', load: loadHindi },
} as const

export type Language = keyof typeof languages

export const LANGUAGE_KEY = 'bifolia.language'

interface Current {
  language: Language
  strings: Strings
}

let current: Current = { language: 'en', strings: english }
const listeners = new Set<() => void>()

/** Lazy parts of the app that are open: each fetches its texts, and answers what shows them. */
const parts = new Set<(to: Current) => Promise<() => void>>()

/** One change after the other: a part that opens during a change comes in the new language. */
let last: Promise<unknown> = Promise.resolve()
function inTurn(change: () => Promise<void>): Promise<void> {
  const done = last.then(change)
  last = done.catch(() => undefined)
  return done
}

const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(languages, value)

/** Rejects, and changes nothing, if a file of the language cannot be fetched. */
const become = (language: Language) =>
  inTurn(async () => {
    const { strings, terms } = await languages[language].load()
    const next = { language, strings }
    const shows = await Promise.all([...parts].map((fetch) => fetch(next)))
    current = next
    speak(languages[language].locale, terms)
    for (const show of shows) show()
    document.documentElement.lang = language
    for (const listener of [...listeners]) listener()
  })

export async function chooseLanguage(language: Language): Promise<void> {
  await become(language)
  keepChoice(LANGUAGE_KEY, language)
}

/**
 * Brings the choice back: before the first render, and when another tab may have changed it. What
 * is shown stays if that fails.
 */
export async function restoreLanguage(): Promise<void> {
  try {
    const kept = chosen(LANGUAGE_KEY)
    if (isLanguage(kept) && kept !== current.language) await become(kept)
  } catch {
    // The file did not arrive.
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
 * The texts of a lazy part of the app, beside those that everybody has. Its route calls `open`
 * before it shows anything; from then on the part changes its language with the rest.
 */
export function lazyTexts<Texts extends object>(
  texts: Texts,
  others: Record<Exclude<Language, 'en'>, () => Promise<Texts>>,
) {
  let shown: Strings & Texts = { ...english, ...texts }
  const fetch = async ({ language, strings }: Current) => {
    const fetched = language === 'en' ? texts : await others[language]()
    return () => {
      shown = { ...strings, ...fetched }
    }
  }
  const shownOnes = () => shown
  return {
    use: (): Strings & Texts => useSyncExternalStore(subscribe, shownOnes, shownOnes),
    open: () =>
      inTurn(async () => {
        const show = await fetch(current)
        parts.add(fetch)
        show()
      }),
  }
}
