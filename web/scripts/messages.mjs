// Writes the types of the English messages, to the file named as an argument if there is one.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const web = join(dirname(fileURLToPath(import.meta.url)), '..')
/** @type {{ module: typeof import('../vite/messages.ts') }} */
const { module } = await runnerImport(join(web, 'vite/messages.ts'))
const file = process.argv[2] ?? join(web, 'src/lib/strings/messages.d.ts')
writeFileSync(file, module.typesOf(join(web, '../messages')))
