import { useId, useRef } from 'react'
import { Navigate, Outlet, useNavigate, useNavigation } from 'react-router'
import { api } from '@/lib/api/client.ts'
import { session } from '@/lib/api/session.ts'
import { useSession } from '@/lib/session.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { MAIN_ID } from '../RootLayout.tsx'
import { useSideMenu } from '../shell/sideMenu.ts'
import { MemberHeader } from './MemberHeader.tsx'
import styles from './MemberShell.module.css'
import { Sidebar } from './Sidebar.tsx'
import { VisitBanner } from './VisitBanner.tsx'

/** What surrounds every member screen. Whoever is signed out meanwhile is sent to the login. */
export function Component() {
  const { isAuth } = useSession()
  const leaving = useRef(false)
  // Log Out goes home; a session that ended by itself goes to the login.
  if (isAuth !== true) return leaving.current ? null : <Navigate to="/Login" replace />
  return <Shell leaving={leaving} />
}

function Shell({ leaving }: { leaving: { current: boolean } }) {
  const { shell, memberShell } = useStrings()
  const menuId = useId()
  const menu = useSideMenu()
  const loading = useNavigation().state === 'loading'
  const navigate = useNavigate()

  const logOut = async () => {
    leaving.current = true
    // The tab forgets the session even if the server cannot be told to end it.
    const told = api.POST('/api/logout').catch(() => undefined)
    await Promise.race([told, new Promise((resolve) => setTimeout(resolve, 2_000))])
    session.clear()
    await navigate('/', { replace: true })
  }

  return (
    <div className={styles.shell} data-menu={menu.open ? 'open' : 'closed'}>
      <a href={`#${MAIN_ID}`} className={styles.skip}>
        {shell.skip}
      </a>
      {menu.open && (
        <>
          <div className={styles.side}>
            <Sidebar id={menuId} onLogOut={logOut} />
          </div>
          <button
            type="button"
            className={styles.backdrop}
            aria-label={memberShell.closeMenu}
            tabIndex={-1}
            onClick={menu.close}
          />
        </>
      )}
      <div className={styles.page}>
        <MemberHeader
          menuOpen={menu.open}
          menuId={menuId}
          toggleRef={menu.toggleRef}
          onToggle={menu.toggle}
          onLogOut={logOut}
        />
        <VisitBanner />
        {loading && (
          <div className={styles.progress} role="progressbar" aria-label={shell.loading} />
        )}
        <main id={MAIN_ID} tabIndex={-1} aria-busy={loading} className={styles.main}>
          <Outlet />
        </main>
      </div>
    </div>
  )
}
