import { Skeleton } from '@mantine/core'
import { Link, Navigate, NavLink, Outlet, useLocation } from 'react-router'
import { buttonClass } from '@/components/button.ts'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { StatusPage } from '@/components/StatusPage.tsx'
import { operatorApi, operatorSession } from '@/lib/operator/client.ts'
import { type Me, useMe, useOperatorSession } from '@/lib/operator/queries/me.ts'
import { decides } from '@/lib/operator/queries/toDo.ts'
import { has } from '@/lib/operator/rights.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { named } from '@/lib/strings/named.ts'
import styles from '../shell/SideMenu.module.css'
import { SideShell } from '../shell/SideShell.tsx'
import density from './ConsoleShell.module.css'
import { Frozen } from './Frozen.tsx'
import { IdleWatch } from './IdleWatch.tsx'
import { menu } from './menu.ts'
import { ProofDialog } from './ProofDialog.tsx'
import { ToDoMark } from './ToDoMark.tsx'

/** The shell of every console screen. Without a session the sign-in is shown. */
export function Component() {
  const { isAuth } = useOperatorSession()
  const { pathname, search } = useLocation()
  if (isAuth !== true) {
    return <Navigate to="/admin/login" replace state={{ from: pathname + search }} />
  }
  return <SignedIn />
}

function SignedIn() {
  const { console: t } = useConsoleStrings()
  const { data, error, refetch } = useMe()
  if (data?.mustEnrol) return <Navigate to="/admin/login" replace />
  if (data) return <Shell me={data} />
  if (error) return <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />
  return <Skeleton height="100dvh" />
}

/** The tab drops the session even if the server cannot be reached. */
async function logOut() {
  const told = operatorApi.POST('/api/operator/logout').catch(() => undefined)
  await Promise.race([told, new Promise((resolve) => setTimeout(resolve, 2_000))])
  operatorSession.clear()
}

function Shell({ me }: { me: Me }) {
  const { console: t } = useConsoleStrings()
  return (
    <div className={density.console}>
      <SideShell
        menu={{
          label: t.menu,
          home: '/admin',
          who: <Who me={me} />,
          entries: <Entries me={me} />,
          onLogOut: () => void logOut(),
        }}
        account={decides(me.role) && <ToDoMark />}
      >
        {me.frozen !== '' && <Frozen why={me.frozen} />}
        <Allowed role={me.role} />
      </SideShell>
      <IdleWatch seconds={me.idleSeconds} />
      <ProofDialog />
    </div>
  )
}

/** The screen, unless the operator's role may not see it. */
function Allowed({ role }: { role: string }) {
  const { forbidden: t, adminTitles } = useConsoleStrings()
  const { pathname } = useLocation()
  const entry = menu.find(({ path }) => path === pathname)
  if (!entry || has(role, entry.right)) return <Outlet />
  return (
    <StatusPage
      eyebrow={adminTitles[entry.path]}
      heading={t.heading}
      text={t.text}
      actions={
        <Link to="/admin" className={buttonClass('primary')}>
          {t.home}
        </Link>
      }
    />
  )
}

function Who({ me }: { me: Me }) {
  const { console: t } = useConsoleStrings()
  return (
    <>
      <p className={styles.name} title={me.email} dir="auto">
        {me.name}
      </p>
      <p className={styles.detail}>{named(t.roles, me.role)}</p>
    </>
  )
}

function Entries({ me }: { me: Me }) {
  const { adminTitles } = useConsoleStrings()
  return menu
    .filter(({ right }) => has(me.role, right))
    .map(({ path, icon: Icon }) => (
      <li key={path}>
        <NavLink to={path} end={path === '/admin'} className={() => styles.entry ?? ''}>
          <Icon size={18} aria-hidden="true" />
          {adminTitles[path]}
        </NavLink>
      </li>
    ))
}
