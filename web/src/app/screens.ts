import type { RouteObject } from 'react-router'
import { Landing } from '@/features/site/landing/Landing.tsx'
import {
  type AdminPath,
  adminDoors,
  adminPaths,
  type MemberPath,
  memberPaths,
  type PublicPath,
  publicPaths,
  titleOf,
} from '@/lib/paths.ts'
import type { RouteHandle } from '@/lib/route.ts'
import type { LoadScreen, Screens } from '@/lib/screens.ts'

/**
 * The table of screens. The addresses are in lib/paths.ts; each feature's `screens.ts` names the
 * files that show them. The landing page is part of the first download because most visitors open
 * it first; every other screen is loaded on demand.
 */
const features = import.meta.glob<{ screens: Screens }>('../features/*/*/screens.ts', {
  eager: true,
})

export const builtScreens: Screens = Object.assign(
  {},
  ...Object.values(features).map(({ screens }) => screens),
)

const comingSoon: LoadScreen = async () => ({
  Component: (await import('@/features/site/comingSoon/ComingSoon.tsx')).ComingSoon,
})

function routeOf(path: AdminPath | PublicPath | MemberPath): RouteObject {
  const handle: RouteHandle = { title: (strings) => titleOf(path, strings) }
  if (path === '/') return { path, handle, Component: Landing }
  return { path, handle, lazy: builtScreens[path] ?? comingSoon }
}

export const landingRoute = routeOf('/')

/** The brand defines the plain pages; each sets its own title. */
export const infoRoute: RouteObject = {
  path: '/info/:slug',
  lazy: () => import('@/features/site/infoPages/InfoPage.tsx'),
}

export const publicRoutes = publicPaths.filter((path) => path !== '/').map(routeOf)
export const memberRoutes = memberPaths.map(routeOf)
export const adminRoutes = adminPaths.map(routeOf)
export const adminDoorRoutes = adminDoors.map(routeOf)
