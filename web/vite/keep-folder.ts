import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/**
 * The Go server embeds the output folder, so it must exist in a fresh checkout although its content
 * is never committed. A build empties the folder; this restores the placeholder.
 */
export function keepFolder(): Plugin {
  return {
    name: 'keep-folder',
    apply: 'build',
    writeBundle({ dir }) {
      if (dir) writeFileSync(join(dir, '.gitkeep'), '')
    },
  }
}
