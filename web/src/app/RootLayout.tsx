import { useEffect, useLayoutEffect, useRef } from 'react'
import { type Location, Outlet, ScrollRestoration, useLocation } from 'react-router'
import { documentTitle, useRouteTitle } from '@/lib/route.ts'
import { useStrings } from '@/lib/strings/index.ts'

export const MAIN_ID = 'main'

export function RootLayout() {
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
 * The router calls the entry a tab was opened with "default", whatever its address. Positions
 * are kept per address there, or opening /#Faq would restore how far / was once scrolled.
 */
function scrollKey({ key, pathname, hash }: Location): string {
  return key === 'default' ? `${key} ${pathname}${hash}` : key
}

function useTitleOfRoute() {
  const { brand } = useStrings()
  const title = useRouteTitle()
  // In the layout phase, so that an error page below, which names itself in an effect, wins.
  useLayoutEffect(() => {
    document.title = documentTitle(title, brand.name)
    document.querySelector('meta[name="description"]')?.setAttribute('content', brand.hero.lead)
  }, [title, brand])
}

/**
 * A browser moves focus when a page loads or a fragment is followed; a client-side router does
 * not. Without this, a keyboard or a screen reader stays on the link of the page that is gone.
 */
function useFocusOnNavigation() {
  const { key, pathname, hash } = useLocation()
  const shown = useRef({ key, pathname })
  useEffect(() => {
    const before = shown.current
    if (before.key === key) return
    shown.current = { key, pathname }
    // A filter, a page or a tab in the address: whoever chose it goes on from there.
    if (before.pathname === pathname && hash === '') return
    const target = document.getElementById(fragmentOf(hash) || MAIN_ID)
    target?.focus({ preventScroll: true })
  }, [key, pathname, hash])
}

/** Anybody can write an address: a fragment that does not decode names nothing. */
function fragmentOf(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return hash
  }
}
