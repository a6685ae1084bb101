import { english as texts } from 'messages:site'
import { createContext, useContext } from 'react'
import { type Brand, brand } from '../brand.ts'

/** What everybody may read; member screens and the console have their own texts beside it. */
export type Texts = typeof texts

/** Every text that everybody may read: the product's own, and the brand's. */
export type Strings = Texts & { brand: Brand }

export const english: Strings = { ...texts, brand }

const StringsContext = createContext<Strings>(english)

export const StringsProvider = StringsContext.Provider

export const useStrings = (): Strings => useContext(StringsContext)
