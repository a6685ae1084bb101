import { createBrowserRouter, RouterProvider } from 'react-router'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Providers } from './Providers.tsx'
import { routesFrom } from './router.tsx'

type Router = ReturnType<typeof createBrowserRouter>

/** Starts loading the code of the first screen. */
export const openRouter = (): Router => createBrowserRouter(...routesFrom(location.pathname))

/** Resolves when the code of the first screen has loaded or failed. */
export async function routerReady(router: Pick<Router, 'state' | 'subscribe'>): Promise<void> {
  let leave: () => void = () => undefined
  await new Promise<void>((resolve) => {
    const look = () => {
      if (router.state.initialized) resolve()
    }
    // The router may call the subscriber within this call, before it returns `stop`.
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
