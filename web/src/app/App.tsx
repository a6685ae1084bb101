import { createBrowserRouter, RouterProvider } from 'react-router'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Providers } from './Providers.tsx'
import { routes } from './router.tsx'

const router = createBrowserRouter(routes)

export function App() {
  return (
    <Providers>
      <ErrorBoundary>
        <RouterProvider router={router} />
      </ErrorBoundary>
    </Providers>
  )
}
