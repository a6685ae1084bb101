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
 * The providers of forms and member screens: the component kit, the query cache and the toasts. The
 * landing page does not download them.
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
