import { Skeleton } from '@mantine/core'
import { LogOut, PanelLeft } from 'lucide-react'
import { useId } from 'react'
import { Link, Navigate, NavLink, Outlet, useLocation, useNavigation } from 'react-router'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Leaves } from '@/components/Leaves.tsx'
import { operatorApi, operatorSession } from '@/lib/operator/client.ts'
import { type Me, useMe, useOperatorSession } from '@/lib/operator/me.ts'
import { has } from '@/lib/operator/rights.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import header from '../member/MemberHeader.module.css'
import styles from '../member/MemberShell.module.css'
import sidebar from '../member/Sidebar.module.css'
import { MAIN_ID } from '../RootLayout.tsx'
import { LanguageSwitch } from '../shell/LanguageSwitch.tsx'
import { useSideMenu } from '../shell/sideMenu.ts'
import { ThemeSwitch } from '../theme/ThemeSwitch.tsx'
import { Frozen } from './Frozen.tsx'
import { IdleWatch } from './IdleWatch.tsx'
import { menu } from './menu.ts'

/** What surrounds every screen of the console. Who has no session gets the sign-in. */
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

/** The tab forgets the session even if the server cannot be told to end it. */
async function logOut() {
  const told = operatorApi.POST('/api/operator/logout').catch(() => undefined)
  await Promise.race([told, new Promise((resolve) => setTimeout(resolve, 2_000))])
  operatorSession.clear()
}

function Shell({ me }: { me: Me }) {
  const { shell, memberShell } = useConsoleStrings()
  const menuId = useId()
  const side = useSideMenu()
  const loading = useNavigation().state === 'loading'
  return (
    <div className={styles.shell} data-menu={side.open ? 'open' : 'closed'}>
      <a href={`#${MAIN_ID}`} className={styles.skip}>
        {shell.skip}
      </a>
      {side.open && (
        <>
          <div className={styles.side}>
            <Menu id={menuId} me={me} />
          </div>
          <button
            type="button"
            className={styles.backdrop}
            aria-label={memberShell.closeMenu}
            tabIndex={-1}
            onClick={side.close}
          />
        </>
      )}
      <div className={styles.page}>
        <header className={header.header}>
          <button
            ref={side.toggleRef}
            type="button"
            className={header.toggle}
            aria-expanded={side.open}
            aria-controls={menuId}
            aria-label={side.open ? memberShell.closeMenu : memberShell.openMenu}
            onClick={side.toggle}
          >
            <PanelLeft size={20} aria-hidden="true" />
          </button>
          <p className={header.title}>{useRouteTitle()}</p>
          <LanguageSwitch />
          <ThemeSwitch />
        </header>
        {loading && (
          <div className={styles.progress} role="progressbar" aria-label={shell.loading} />
        )}
        <main id={MAIN_ID} tabIndex={-1} aria-busy={loading} className={styles.main}>
          {me.frozen !== '' && <Frozen why={me.frozen} />}
          <Outlet />
        </main>
      </div>
      <IdleWatch seconds={me.idleSeconds} />
    </div>
  )
}

function Menu({ id, me }: { id: string; me: Me }) {
  const { brand, console: t, adminTitles, sections } = useConsoleStrings()
  return (
    <nav id={id} className={sidebar.sidebar} aria-label={t.menu}>
      <Link to="/admin" className={sidebar.logo}>
        <Leaves size={28} />
        <span>{brand.name}</span>
      </Link>
      <div className={sidebar.member}>
        <p className={sidebar.name} title={me.email} dir="auto">
          {me.name}
        </p>
        <p className={sidebar.userId}>{t.roles[me.role as keyof typeof t.roles] ?? me.role}</p>
      </div>
      <ul className={sidebar.list}>
        {menu
          .filter(({ right }) => has(me.role, right))
          .map(({ path, icon: Icon }) => (
            <li key={path}>
              <NavLink to={path} end={path === '/admin'} className={() => sidebar.entry ?? ''}>
                <Icon size={18} aria-hidden="true" />
                {adminTitles[path]}
              </NavLink>
            </li>
          ))}
        <li>
          <button type="button" className={sidebar.entry} onClick={() => void logOut()}>
            <LogOut size={18} aria-hidden="true" />
            {sections.logOut}
          </button>
        </li>
      </ul>
    </nav>
  )
}
