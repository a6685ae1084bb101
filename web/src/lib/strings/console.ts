import { consoleTexts } from './en/index.console.ts'
import { lazyTexts } from './language.ts'

export type ConsoleTexts = typeof consoleTexts

/** What the console says. Only what is loaded with the console may import this file. */
export const { use: useConsoleStrings, open: openTexts } = lazyTexts(consoleTexts, {
  hi: async () => (await import('./hi/index.console.ts')).consoleTexts,
})

export type ConsoleStrings = ReturnType<typeof useConsoleStrings>
