import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { Toasts } from '../Toasts.tsx'

/** Renders with everything that shared pieces stand on. Answers the router, for its address. */
export function renderInApp(children: ReactNode, address = '/') {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const element = (
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={client}>
        {children}
        <Toasts />
      </QueryClientProvider>
    </MantineProvider>
  )
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: [address] })
  render(<RouterProvider router={router} />)
  return router
}
