import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

const require = createRequire(import.meta.url)
const files = ['swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'swagger-ui.css']

/** The viewer of /api/docs, as its package ships it: the program serves it (internal/httpapi). */
export function apiDocs(): Plugin {
  return {
    name: 'api-docs',
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    generateBundle() {
      for (const file of files) {
        const source = readFileSync(require.resolve(`swagger-ui-dist/${file}`))
        this.emitFile({ type: 'asset', fileName: `api-docs/${file}`, source })
      }
    },
  }
}
