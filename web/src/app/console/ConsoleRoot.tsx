import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet } from 'react-router'
import { operatorQueries } from '@/lib/operator/client.ts'

/** The console has its own query cache. */
export function Component() {
  return (
    <QueryClientProvider client={operatorQueries}>
      <Outlet />
    </QueryClientProvider>
  )
}
