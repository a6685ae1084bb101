import 'virtual:kit.css'
import './mantine.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet } from 'react-router'
import { Toasts } from '@/components/Toasts.tsx'
import { queryClient } from '@/lib/api/query.ts'
import { useMode } from '../theme/mode.ts'
import { kitTheme } from './theme.ts'

/**
 * What forms and member screens stand on: the component kit, what was read from the server, and
 * passing messages. The landing page does without it and does not download it.
 */
export function Component() {
  return (
    <MantineProvider
      theme={kitTheme}
      forceColorScheme={useMode()}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queryClient}>
        <Outlet />
        <Toasts />
      </QueryClientProvider>
    </MantineProvider>
  )
}
