import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type Location, Outlet, ScrollRestoration, useLocation } from 'react-router'
import { documentTitle, useRouteTitle } from '@/lib/route.ts'
import { useStrings } from '@/lib/strings/index.ts'

export const MAIN_ID = 'main'

export function RootLayout() {
  useState(forgetScrollOfNewVisit)
  useTitleOfRoute()
  useFocusOnNavigation()
  return (
    <>
      <Outlet />
      <ScrollRestoration getKey={scrollKey} />
    </>
  )
}

/**
 * The router's key of a tab's first entry is "default", whatever its address. Scroll positions of
 * that entry are kept by address, or opening /#Faq would restore the position of /.
 */
function scrollKey({ key, pathname, hash }: Location): string {
  return key === 'default' ? `${key} ${pathname}${hash}` : key
}

/** Where the router keeps scroll positions. */
const POSITIONS = 'react-router-scroll-positions'

/** An address that is typed or followed from elsewhere opens at its top, a reload where it was. */
function forgetScrollOfNewVisit() {
  try {
    const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const kept = sessionStorage.getItem(POSITIONS)
    if (visit?.type !== 'navigate' || !kept) return
    const others = Object.entries(JSON.parse(kept)).filter(([key]) => !key.startsWith('default '))
    sessionStorage.setItem(POSITIONS, JSON.stringify(Object.fromEntries(others)))
  } catch {
    // Storage is blocked, so no position is kept.
  }
}

function useTitleOfRoute() {
  const { brand } = useStrings()
  const title = useRouteTitle()
  // A layout effect, so that an error page below, which sets its title in an effect, wins.
  useLayoutEffect(() => {
    document.title = documentTitle(title, brand.name)
    document.querySelector('meta[name="description"]')?.setAttribute('content', brand.hero.lead)
  }, [title, brand])
}

/**
 * A browser moves the focus when a page loads or a fragment is followed; a client-side router does
 * not. Without this, a keyboard or a screen reader stays on the link of the old page.
 */
function useFocusOnNavigation() {
  const { key, pathname, hash } = useLocation()
  const shown = useRef({ key, pathname })
  useEffect(() => {
    const before = shown.current
    if (before.key === key) return
    shown.current = { key, pathname }
    // The search of the address has changed, by a filter, a page or a tab: the focus stays.
    if (before.pathname === pathname && hash === '') return
    const target = document.getElementById(fragmentOf(hash) || MAIN_ID)
    target?.focus({ preventScroll: true })
  }, [key, pathname, hash])
}

/** Addresses can be edited: a fragment that does not decode names no element. */
function fragmentOf(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return hash
  }
}
