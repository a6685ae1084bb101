import { Outlet, useLocation } from 'react-router'
import { Footer, SlimFooter } from './Footer.tsx'
import { Header } from './Header.tsx'
import { Page, SkipLink } from './Page.tsx'
import styles from './PublicShell.module.css'

/** Pages about one form have a footer of one line. */
const FORMS = [
  '/login',
  '/signup',
  '/forgotpassword',
  '/confirmemail',
  '/welcomepage',
  '/adminlogin',
]

/** The shell of every public page. */
export function PublicShell() {
  const { pathname } = useLocation()
  return (
    <div className={styles.shell}>
      <SkipLink />
      <Header />
      <Page>
        <Outlet />
      </Page>
      {FORMS.includes(pathname.toLowerCase()) ? <SlimFooter /> : <Footer />}
    </div>
  )
}
