import { english, others } from 'messages:console'
import { lazyTexts } from './language.ts'

/** The texts of the console. Only modules that load with the console may import this file. */
export const { use: useConsoleStrings, open: openTexts } = lazyTexts(english, others)

export type ConsoleStrings = ReturnType<typeof useConsoleStrings>
