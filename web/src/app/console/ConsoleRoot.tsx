import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet } from 'react-router'
import { operatorQueries } from '@/lib/operator/client.ts'

/** The console keeps what it reads apart from what members read. */
export function Component() {
  return (
    <QueryClientProvider client={operatorQueries}>
      <Outlet />
    </QueryClientProvider>
  )
}
