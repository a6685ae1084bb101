import { english, others } from 'messages:console'
import { lazyTexts } from './language.ts'

/** What the console says. Only what is loaded with the console may import this file. */
export const { use: useConsoleStrings, open: openTexts } = lazyTexts(english, others)

export type ConsoleStrings = ReturnType<typeof useConsoleStrings>
