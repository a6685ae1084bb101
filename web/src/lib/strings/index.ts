import { createContext, useContext } from 'react'
import { type Brand, brand } from '../brand.ts'
import { en } from './en/index.ts'

/** What a language has to say: a missing text does not compile. */
export type Texts = typeof en

/** Every text that everybody may read: the product's own, and the brand's. */
export type Strings = Texts & { brand: Brand }

export const english: Strings = { ...en, brand }

const StringsContext = createContext<Strings>(english)

export const StringsProvider = StringsContext.Provider

export const useStrings = (): Strings => useContext(StringsContext)
