import { useRef } from 'react'
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router'
import { api } from '@/lib/api/client.ts'
import { session } from '@/lib/api/session.ts'
import { SESSION_ENDED, useSession } from '@/lib/session.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { SideShell } from '../shell/SideShell.tsx'
import { AccountBanner } from './AccountBanner.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { sectionOf } from './menu.ts'
import { NoticeBell } from './NoticeBell.tsx'
import { Entries, Who } from './Sidebar.tsx'
import { VisitBanner } from './VisitBanner.tsx'

const CHANGE_PASSWORD = '/ChangePassword'
const isChangePassword = (path: string) =>
  path.replace(/\/+$/, '').toLowerCase() === CHANGE_PASSWORD.toLowerCase()

/**
 * The shell of every member screen. Without a session it redirects to the login, and with a
 * temporary password to the screen that changes it: the server refuses every other call.
 */
export function Component() {
  const { isAuth, mustChange } = useSession()
  const { pathname } = useLocation()
  const leaving = useRef(false)
  // A log-out leads home; a session that the server has ended leads to the login.
  if (isAuth !== true) {
    return leaving.current ? null : <Navigate to="/Login" replace state={SESSION_ENDED} />
  }
  if (mustChange && !isChangePassword(pathname)) return <Navigate to={CHANGE_PASSWORD} replace />
  return <Shell leaving={leaving} />
}

function Shell({ leaving }: { leaving: { current: boolean } }) {
  const { memberShell, sections } = useStrings()
  const { mustChange } = useSession()
  const section = sectionOf(useLocation().pathname)
  const navigate = useNavigate()

  const logOut = async () => {
    leaving.current = true
    // The tab drops the session even if the server cannot be reached.
    const told = api.POST('/api/logout').catch(() => undefined)
    await Promise.race([told, new Promise((resolve) => setTimeout(resolve, 2_000))])
    session.clear()
    await navigate('/', { replace: true })
  }

  return (
    <SideShell
      menu={{
        label: memberShell.menu,
        home: '/dashboard',
        who: <Who />,
        entries: !mustChange && <Entries />,
        onLogOut: logOut,
      }}
      section={section && section.paths.length > 1 && sections[section.name]}
      account={
        <>
          {!mustChange && <NoticeBell />}
          <AccountMenu onLogOut={logOut} />
        </>
      }
      banner={
        <>
          <VisitBanner />
          {!mustChange && <AccountBanner />}
        </>
      }
    >
      <Outlet />
    </SideShell>
  )
}
