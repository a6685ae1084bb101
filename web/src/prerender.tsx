import './prerender-globals.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router'
import { Providers } from '@/app/Providers.tsx'
import { routes } from '@/app/router.tsx'
import { type PublicPath, titleOf } from '@/lib/paths.ts'
import { english } from '@/lib/strings/index.ts'

export { adminDoors, adminPaths, memberPaths, publicPaths } from '@/lib/paths.ts'

const { query, dataRoutes } = createStaticHandler(routes)

/** A screen as it renders before any request (scripts/shells.mjs). */
export async function render(path: string): Promise<string> {
  const context = await query(new Request(`http://bifolia.invalid${path}`))
  if (context instanceof Response) throw new Error(`${path} leads elsewhere`)
  if (context.errors) throw Object.values(context.errors)[0]
  return renderToStaticMarkup(
    <Providers>
      <StaticRouterProvider
        router={createStaticRouter(dataRoutes, context)}
        context={context}
        hydrate={false}
      />
    </Providers>,
  )
}

/** The title of a public screen, and a text if it is not that of the landing page. */
export const describe = (path: PublicPath) => ({
  ...(path !== '/' && { title: titleOf(path, english) }),
  ...(path === '/Bifolia' && { text: english.transparency.lead({ brand: '{brand}' }) }),
})
