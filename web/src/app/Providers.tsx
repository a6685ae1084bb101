import type { ReactNode } from 'react'
import { StringsProvider } from '@/lib/strings/index.ts'
import { useLanguage } from '@/lib/strings/language.ts'

/** The providers of every screen. Those that only some need belong to their lazy part. */
export function Providers({ children }: { children: ReactNode }) {
  return <StringsProvider value={useLanguage().strings}>{children}</StringsProvider>
}
