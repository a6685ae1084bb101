import { isRouteErrorResponse, useRouteError } from 'react-router'
import { NotFound } from '@/components/NotFound.tsx'
import { ErrorPage } from './ErrorPage.tsx'

/** Shows what a route's loader, code or rendering threw. */
export function RouteError() {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  return <ErrorPage error={error} />
}
