import { createBrowserRouter, RouterProvider } from 'react-router'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Providers } from './Providers.tsx'
import { routes } from './router.tsx'

const router = createBrowserRouter(routes)

/** Resolves when the code of the first screen is there, or has failed to come. */
export const routerReady = () =>
  new Promise<void>((resolve) => {
    const look = () => {
      if (!router.state.initialized) return
      leave()
      resolve()
    }
    const leave = router.subscribe(look)
    look()
  })

export function App() {
  return (
    <Providers>
      <ErrorBoundary>
        <RouterProvider router={router} />
      </ErrorBoundary>
    </Providers>
  )
}
