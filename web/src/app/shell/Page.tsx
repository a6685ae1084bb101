import type { ReactNode } from 'react'
import { useNavigation } from 'react-router'
import { useStrings } from '@/lib/strings/index.ts'
import { MAIN_ID } from '../RootLayout.tsx'
import styles from './Page.module.css'

/** The skip link: the first link of every page. */
export function SkipLink() {
  const { shell } = useStrings()
  return (
    <a href={`#${MAIN_ID}`} className={styles.skip}>
      {shell.skip}
    </a>
  )
}

/** The screen, and a bar above it while the next one loads. */
export function Page({ className, children }: { className?: string; children: ReactNode }) {
  const { shell } = useStrings()
  const loading = useNavigation().state === 'loading'
  return (
    <>
      {loading && <div className={styles.progress} role="progressbar" aria-label={shell.loading} />}
      <main id={MAIN_ID} tabIndex={-1} aria-busy={loading} className={className}>
        {children}
      </main>
    </>
  )
}
