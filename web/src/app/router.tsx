import { type RouteObject, redirect } from 'react-router'
import { NotFound } from '@/components/NotFound.tsx'
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

/** A part of the app with texts of its own: they are there before any of it is shown. */
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
  () => import('./admin/AdminRoot.tsx'),
  () => import('@/lib/strings/console.ts'),
)

/** Who is not signed in never gets as far as loading a member screen. MemberShell watches on. */
export const guard = () => (isSignedIn() ? null : redirect('/Login'))

/**
 * Two error boundaries: the inner one keeps the shell around the message, the outer one stands
 * when the shell itself fails.
 */
export const routes: RouteObject[] = [
  {
    Component: RootLayout,
    ErrorBoundary: RouteError,
    HydrateFallback: Loading,
    children: [
      {
        Component: PublicShell,
        children: [
          {
            ErrorBoundary: RouteError,
            children: [landingRoute, infoRoute, { lazy: kit, children: publicRoutes }, notFound],
          },
        ],
      },
      {
        loader: guard,
        // The guard asks the tab, not the server: it is cheap and must run at every step.
        shouldRevalidate: () => true,
        lazy: kit,
        children: [
          {
            lazy: member,
            children: [{ ErrorBoundary: RouteError, children: memberRoutes }],
          },
        ],
      },
      {
        lazy: kit,
        children: [
          {
            lazy: admin,
            children: [
              {
                lazy: () => import('./admin/AdminDoor.tsx'),
                children: [{ ErrorBoundary: RouteError, children: adminDoorRoutes }],
              },
              {
                lazy: () => import('./admin/AdminShell.tsx'),
                children: [{ ErrorBoundary: RouteError, children: adminRoutes }],
              },
            ],
          },
        ],
      },
    ],
  },
]
