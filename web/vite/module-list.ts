import { relative } from 'node:path'
import type { Plugin } from 'vite'

/** Writes the chunk of every module beside Vite's manifest, for scripts/shells.mjs. */
export function moduleList(): Plugin {
  return {
    name: 'module-list',
    apply: 'build',
    generateBundle(_, bundle) {
      const files: Record<string, string> = {}
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        for (const id of chunk.moduleIds) {
          files[relative(this.environment.config.root, id)] = chunk.fileName
        }
      }
      const source = JSON.stringify(files)
      this.emitFile({ type: 'asset', fileName: '.vite/modules.json', source })
    },
  }
}
