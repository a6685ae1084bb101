import { lazy, Suspense } from 'react'
import { type DOMRouterOpts, Outlet, type RouteObject, redirect } from 'react-router'
import { NotFound } from '@/components/NotFound.tsx'
import { publicPaths } from '@/lib/paths.ts'
import type { RouteHandle } from '@/lib/route.ts'
import { isSignedIn, useSession } from '@/lib/session.ts'
import { RootLayout } from './RootLayout.tsx'
import { RouteError } from './RouteError.tsx'
import {
  adminDoorRoutes,
  adminRoutes,
  infoRoute,
  landingRoute,
  memberRoutes,
  publicRoutes,
} from './screens.ts'
import { Loading } from './shell/Loading.tsx'
import { PublicShell } from './shell/PublicShell.tsx'

const notFound: RouteObject = {
  path: '*',
  handle: { title: (s) => s.titles.notFound } satisfies RouteHandle,
  Component: NotFound,
}

const kit = () => import('./kit/Kit.tsx')

interface OwnTexts {
  openTexts: () => Promise<void>
}

/** A lazy part of the app with its own texts, which load before it renders. */
const withTexts =
  <Part,>(part: () => Promise<Part>, texts: () => Promise<OwnTexts>) =>
  async () => {
    const [loaded, { openTexts }] = await Promise.all([part(), texts()])
    await openTexts()
    return loaded
  }

const member = withTexts(
  () => import('./member/MemberShell.tsx'),
  () => import('@/lib/strings/member.ts'),
)

const admin = withTexts(
  () => import('./console/ConsoleRoot.tsx'),
  () => import('@/lib/strings/console.ts'),
)

const MemberKit = lazy(async () => ({ default: (await kit()).Component }))
const MemberShell = lazy(async () => ({ default: (await member()).Component }))

/** An unknown address: members stay in their shell, visitors in the public one. */
function UnknownRoot() {
  const { isAuth } = useSession()
  return <Suspense fallback={<Loading />}>{isAuth === true ? <MemberKit /> : <Outlet />}</Suspense>
}

function UnknownShell() {
  const { isAuth } = useSession()
  return isAuth === true ? <MemberShell /> : <PublicShell />
}

const unknownPart: RouteObject = {
  Component: UnknownRoot,
  children: [
    {
      Component: UnknownShell,
      children: [{ ErrorBoundary: RouteError, children: [notFound] }],
    },
  ],
}

/** Without a session no member screen is loaded. MemberShell checks after that. */
export const guard = () => (isSignedIn() ? null : redirect('/Login'))

/**
 * Two error boundaries: the inner one keeps the shell around the message, the outer one is for
 * errors of the shell.
 */
const within = (children: RouteObject[]): RouteObject[] => [
  {
    id: 'root',
    Component: RootLayout,
    ErrorBoundary: RouteError,
    HydrateFallback: Loading,
    children,
  },
]

const kitPage: RouteObject = {
  path: '/dev/kit',
  handle: { title: () => 'Design system' } satisfies RouteHandle,
  lazy: () => import('./kit/KitPage.tsx'),
}

const publicPart: RouteObject = {
  Component: PublicShell,
  children: [
    {
      ErrorBoundary: RouteError,
      children: [landingRoute, infoRoute, { lazy: kit, children: [...publicRoutes, kitPage] }],
    },
  ],
}

const memberPart: RouteObject = {
  loader: guard,
  // The guard reads the tab's session, not the server's: it runs at every navigation.
  shouldRevalidate: () => true,
  lazy: kit,
  children: [
    {
      lazy: member,
      children: [{ ErrorBoundary: RouteError, children: memberRoutes }],
    },
  ],
}

const adminPart: RouteObject = {
  lazy: kit,
  children: [
    {
      lazy: admin,
      children: [
        {
          lazy: () => import('./console/ConsoleDoor.tsx'),
          children: [{ ErrorBoundary: RouteError, children: adminDoorRoutes }],
        },
        {
          lazy: () => import('./console/ConsoleShell.tsx'),
          children: [{ ErrorBoundary: RouteError, children: adminRoutes }],
        },
      ],
    },
  ],
}

export const routes = within([publicPart, memberPart, adminPart, unknownPart])

const isPublic = (address: string) =>
  publicPaths.some((path) => path.toLowerCase() === address.toLowerCase())

/**
 * The routes of the first address. Every route makes the first screen of a phone slower, so a
 * visitor of a public screen gets the other routes when leaving it.
 */
export function routesFrom(address: string): [RouteObject[], DOMRouterOpts] {
  if (!isPublic(address)) return [routes, {}]
  let rest = [memberPart, adminPart]
  return [
    within([publicPart, unknownPart]),
    {
      patchRoutesOnNavigation: ({ patch }) => {
        patch('root', rest)
        rest = []
      },
    },
  ]
}
