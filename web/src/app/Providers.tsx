import type { ReactNode } from 'react'
import { en } from '@/lib/strings/en.ts'
import { StringsProvider } from '@/lib/strings/index.ts'

/** What every screen may rely on. What only some need belongs to their own lazy part. */
export function Providers({ children }: { children: ReactNode }) {
  return <StringsProvider value={en}>{children}</StringsProvider>
}
