import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where the workers of a run share the demos that they build. */
export default async function setup() {
  const demos = await mkdtemp(join(tmpdir(), 'bifolia-demos-'))
  process.env.E2E_DEMOS = demos
  return () => rm(demos, { recursive: true, force: true })
}
