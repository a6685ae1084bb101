import { type DOMRouterOpts, type RouteObject, redirect } from 'react-router'
import { NotFound } from '@/components/NotFound.tsx'
import { publicPaths } from '@/lib/paths.ts'
import type { RouteHandle } from '@/lib/route.ts'
import { isSignedIn } from '@/lib/session.ts'
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
      children: [
        landingRoute,
        infoRoute,
        { lazy: kit, children: [...publicRoutes, kitPage] },
        notFound,
      ],
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

export const routes = within([publicPart, memberPart, adminPart])

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
    within([publicPart]),
    {
      patchRoutesOnNavigation: ({ patch }) => {
        patch('root', rest)
        rest = []
      },
    },
  ]
}
