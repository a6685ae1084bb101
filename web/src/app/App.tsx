import { createBrowserRouter, RouterProvider } from 'react-router'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Providers } from './Providers.tsx'
import { routesFrom } from './router.tsx'

type Router = ReturnType<typeof createBrowserRouter>

/** The router begins to load the first screen's code. */
export const openRouter = (): Router => createBrowserRouter(...routesFrom(location.pathname))

/** Resolves when the code of the first screen is there, or has failed to come. */
export const routerReady = (router: Router) =>
  new Promise<void>((resolve) => {
    const look = () => {
      if (!router.state.initialized) return
      leave()
      resolve()
    }
    const leave = router.subscribe(look)
    look()
  })

export function App({ router }: { router: Router }) {
  return (
    <Providers>
      <ErrorBoundary>
        <RouterProvider router={router} />
      </ErrorBoundary>
    </Providers>
  )
}
