import { createContext, useContext } from 'react'
import { en } from './en.ts'

/** Another language is a file that satisfies this type: a missing text does not compile. */
export type Strings = typeof en

const StringsContext = createContext<Strings>(en)

export const StringsProvider = StringsContext.Provider

export const useStrings = (): Strings => useContext(StringsContext)
