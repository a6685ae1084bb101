import { createBrowserRouter, RouterProvider } from 'react-router'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Providers } from './Providers.tsx'
import { routesFrom } from './router.tsx'

type Router = ReturnType<typeof createBrowserRouter>

/** The router begins to load the first screen's code. */
export const openRouter = (): Router => createBrowserRouter(...routesFrom(location.pathname))

/** Resolves when the code of the first screen is there, or has failed to come. */
export async function routerReady(router: Pick<Router, 'state' | 'subscribe'>): Promise<void> {
  let leave: () => void = () => undefined
  await new Promise<void>((resolve) => {
    const look = () => {
      if (router.state.initialized) resolve()
    }
    // Who comes late is told within this call, before there is anything to leave by.
    leave = router.subscribe(look)
    look()
  })
  leave()
}

export function App({ router }: { router: Router }) {
  return (
    <Providers>
      <ErrorBoundary>
        <RouterProvider router={router} />
      </ErrorBoundary>
    </Providers>
  )
}
