import { isRouteErrorResponse, useRouteError } from 'react-router'
import { ErrorPage } from './ErrorPage.tsx'
import { NotFound } from './NotFound.tsx'

/** Whatever a route's loader, code or rendering threw. */
export function RouteError() {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  return <ErrorPage error={error} />
}
