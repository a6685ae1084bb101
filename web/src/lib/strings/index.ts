import { english as texts } from 'messages:site'
import { createContext, useContext } from 'react'
import { type Brand, brand } from '../brand.ts'

/** The texts of the first page. Member screens and the console add their own parts. */
export type Texts = typeof texts

/** The texts of the first page and of the brand. */
export type Strings = Texts & { brand: Brand }

export const english: Strings = { ...texts, brand }

const StringsContext = createContext<Strings>(english)

export const StringsProvider = StringsContext.Provider

export const useStrings = (): Strings => useContext(StringsContext)
