import { createContext, useContext } from 'react'
import { en } from './en/index.ts'

/** Another language is a folder that satisfies this type: a missing text does not compile. */
export type Strings = typeof en

const StringsContext = createContext<Strings>(en)

export const StringsProvider = StringsContext.Provider

export const useStrings = (): Strings => useContext(StringsContext)
