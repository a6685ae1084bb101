import type { ReactNode } from 'react'
import { StringsProvider } from '@/lib/strings/index.ts'
import { useLanguage } from '@/lib/strings/language.ts'

/** What every screen may rely on. What only some need belongs to their own lazy part. */
export function Providers({ children }: { children: ReactNode }) {
  return <StringsProvider value={useLanguage().strings}>{children}</StringsProvider>
}
