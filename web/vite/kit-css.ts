import { basename } from 'node:path'
import type { Plugin } from 'vite'

const PUBLIC_ID = 'virtual:kit.css'
const WHOLE = '@mantine/core/styles.layer.css'
const BASE = ['default-css-variables', 'baseline', 'global']

/** The modules in which the kit's components name their classes. */
const CLASS_NAMES = /@mantine\/core\/esm\/.+\.module\.mjs$/

/**
 * The styles of the kit's components that are in use: all of them are 36 kB and would delay the
 * first paint. A component brings its style sheet with its class names. Vite's development server
 * bundles the kit beforehand, so it includes all styles.
 */
export function kitCss(): Plugin {
  let building = false
  return {
    name: 'kit-css',
    enforce: 'pre',
    configResolved(config) {
      building = config.command === 'build'
    },
    resolveId: (id) => (id === PUBLIC_ID ? '\0kit-css' : undefined),
    load(id) {
      if (id !== '\0kit-css') return undefined
      const sheets = building ? BASE.map(sheetOf) : [WHOLE]
      return sheets.map((sheet) => `import '${sheet}'`).join('\n')
    },
    transform: {
      filter: { id: CLASS_NAMES },
      handler(code, id) {
        if (!building) return undefined
        return { code: `import '${sheetOf(basename(id, '.module.mjs'))}'\n${code}`, map: null }
      },
    },
  }
}

const sheetOf = (name: string) => `@mantine/core/styles/${name}.layer.css`
