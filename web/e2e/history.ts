import { test as base } from './fixtures.ts'
import { startServer } from './server.ts'

/**
 * Long enough for every kind of income, and for claims that are paid, payable and not yet funded.
 */
export const SIZE = ['--members', '300', '--days', '120']

/** Tests on a server with a demo's history; `memberPage` is its leader's. */
export const test = base.extend({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from here
    async ({}, use) => {
      const server = await startServer([], SIZE)
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

export { expect } from './fixtures.ts'
