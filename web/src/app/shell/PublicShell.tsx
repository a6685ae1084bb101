import { Outlet } from 'react-router'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
import { Page, SkipLink } from './Page.tsx'
import styles from './PublicShell.module.css'

/** The shell of every public page. */
export function PublicShell() {
  return (
    <div className={styles.shell}>
      <SkipLink />
      <Header />
      <Page>
        <Outlet />
      </Page>
      <Footer />
    </div>
  )
}
