import { useRef } from 'react'
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router'
import { api } from '@/lib/api/client.ts'
import { session } from '@/lib/api/session.ts'
import { useSession } from '@/lib/session.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { SideShell } from '../shell/SideShell.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { sectionOf } from './menu.ts'
import { Entries, Who } from './Sidebar.tsx'
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
  const { memberShell, sections } = useStrings()
  const section = sectionOf(useLocation().pathname)
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
    <SideShell
      menu={{
        label: memberShell.menu,
        home: '/dashboard',
        who: <Who />,
        entries: <Entries />,
        onLogOut: logOut,
      }}
      section={section && section.paths.length > 1 && sections[section.name]}
      account={<AccountMenu onLogOut={logOut} />}
      banner={<VisitBanner />}
    >
      <Outlet />
    </SideShell>
  )
}
