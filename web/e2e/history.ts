import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test as base } from './fixtures.ts'
import { binary, startServer } from './server.ts'

/** Long enough for every kind of income, and for claims that are paid, payable and not yet funded. */
const SIZE = ['--members', '300', '--days', '120']

/** Tests whose server has a demo's history; `memberPage` is its leader's. */
export const test = base.extend({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from here
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'bifolia-history-'))
      const place = ['--db', `sqlite:${join(folder, 'bifolia.db')}`, '--data-dir', folder]
      await promisify(execFile)(binary, ['demo', '--json', ...SIZE, ...place])
      // The people of a demo are the same whatever its size: those of the server's own stay true.
      const server = await startServer(place)
      await use(server)
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

export { expect } from './fixtures.ts'
