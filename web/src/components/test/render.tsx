import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, parsePath, RouterProvider } from 'react-router'
import { Toasts } from '../Toasts.tsx'

/**
 * Renders with the providers that shared components need; `state` is the router's state. Returns
 * the router.
 */
export function renderInApp(children: ReactNode, address = '/', state: unknown = null) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const element = (
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={client}>
        {children}
        <Toasts />
      </QueryClientProvider>
    </MantineProvider>
  )
  const router = createMemoryRouter([{ path: '*', element }], {
    initialEntries: [{ ...parsePath(address), state }],
  })
  render(<RouterProvider router={router} />)
  return router
}
