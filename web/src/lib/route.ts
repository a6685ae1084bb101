import { useEffect } from 'react'
import { useMatches } from 'react-router'
import { type Strings, useStrings } from './strings/index.ts'

/** The data of a route. */
export interface RouteHandle {
  title: (strings: Strings) => string
}

const isRouteHandle = (handle: unknown): handle is RouteHandle =>
  typeof handle === 'object' && handle !== null && 'title' in handle

/** The title of the current screen: that of the innermost matched route that has one. */
export function useRouteTitle(): string {
  const strings = useStrings()
  const handle = useMatches()
    .map((match) => match.handle)
    .findLast(isRouteHandle)
  return handle ? handle.title(strings) : strings.brand.name
}

/** The product's name follows every title that does not contain it. */
export function documentTitle(title: string, brand: string): string {
  return title.includes(brand) ? title : `${title} · ${brand}`
}

/** Sets the tab's title on a page that no route describes, such as an error. */
export function useDocumentTitle(title: string): void {
  const { brand } = useStrings()
  useEffect(() => {
    document.title = documentTitle(title, brand.name)
  }, [title, brand.name])
}
