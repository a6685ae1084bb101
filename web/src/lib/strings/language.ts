import { useSyncExternalStore } from 'react'
import { translated } from '../brand.ts'
import { english, type Strings } from './index.ts'

/**
 * The languages of the product. English is part of the first download; every other language is
 * one file, fetched when somebody chooses it, and kept for the next visit.
 */
async function loadHindi(): Promise<Strings> {
  const { hi, brandTexts } = await import('./hi/index.ts')
  return { ...hi, brand: translated(brandTexts) }
}

export const languages = {
  en: { name: 'English', load: async (): Promise<Strings> => english },
  hi: { name: 'हिन्दी', load: loadHindi },
} as const

export type Language = keyof typeof languages

export const LANGUAGE_KEY = 'bifolia.language'

interface Current {
  language: Language
  strings: Strings
}

let current: Current = { language: 'en', strings: english }
const listeners = new Set<() => void>()

const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(languages, value)

/** Rejects, and changes nothing, if the language's file cannot be fetched. */
async function become(language: Language): Promise<void> {
  const strings = await languages[language].load()
  current = { language, strings }
  document.documentElement.lang = language
  for (const listener of [...listeners]) listener()
}

export async function chooseLanguage(language: Language): Promise<void> {
  await become(language)
  try {
    localStorage.setItem(LANGUAGE_KEY, language)
  } catch {
    // Storage is blocked: the choice holds until the page is left.
  }
}

/** Brings back the stored choice before the first render; English if that fails. */
export async function restoreLanguage(): Promise<void> {
  try {
    const stored = localStorage.getItem(LANGUAGE_KEY)
    if (isLanguage(stored) && stored !== current.language) await become(stored)
  } catch {
    // No storage, or the file did not arrive.
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useLanguage = (): Current => useSyncExternalStore(subscribe, () => current)
