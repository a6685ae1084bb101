import type { RouteObject } from 'react-router'
import type { RouteHandle } from '@/lib/route.ts'
import { NotFound } from './NotFound.tsx'
import { RootLayout } from './RootLayout.tsx'
import { RouteError } from './RouteError.tsx'
import { publicScreens, type Screen } from './screens.ts'
import { Loading } from './shell/Loading.tsx'
import { PublicShell } from './shell/PublicShell.tsx'

function routeOf({ path, title, screen }: Screen): RouteObject {
  return { path, handle: { title } satisfies RouteHandle, ...screen }
}

const notFound: RouteObject = {
  path: '*',
  handle: { title: (s) => s.titles.notFound } satisfies RouteHandle,
  Component: NotFound,
}

/**
 * Two error boundaries: the inner one keeps header and footer around the message, the outer one
 * stands when the shell itself fails.
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
          { ErrorBoundary: RouteError, children: [...publicScreens.map(routeOf), notFound] },
        ],
      },
    ],
  },
]
