import { Outlet, useNavigation } from 'react-router'
import { useStrings } from '@/lib/strings/index.ts'
import { MAIN_ID } from '../RootLayout.tsx'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
import styles from './PublicShell.module.css'

/** What surrounds every public page. */
export function PublicShell() {
  const { shell } = useStrings()
  const loading = useNavigation().state === 'loading'
  return (
    <div className={styles.shell}>
      <a href={`#${MAIN_ID}`} className={styles.skip}>
        {shell.skip}
      </a>
      <Header />
      {loading && <div className={styles.progress} role="progressbar" aria-label={shell.loading} />}
      <main id={MAIN_ID} tabIndex={-1} aria-busy={loading}>
        <Outlet />
      </main>
      <Footer />
    </div>
  )
}
