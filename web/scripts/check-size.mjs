// Fails the build when the JavaScript of `/` exceeds its budget: the scripts that the page names,
// and everything they import statically.
import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

/** The current size and some room; react-dom and react-router are 94 kB of it. */
const BUDGET_KB = 132
const dist = join(dirname(fileURLToPath(import.meta.url)), '../../internal/platform/webui/dist')

/** @param {string} path */
const read = (path) => readFileSync(join(dist, path), 'utf8')

/** @param {string} html */
function scriptsOf(html) {
  const tags =
    html.match(/<script\b[^>]*\bsrc="[^"]+"|<link\b[^>]*rel="modulepreload"[^>]*>/g) ?? []
  return tags.flatMap((tag) => /(?:src|href)="\/([^"]+)"/.exec(tag)?.[1] ?? [])
}

/** @param {string} path */
function staticImportsOf(path) {
  const found = read(path).matchAll(/\b(?:import|from)\s*["'](\.[^"']+\.js)["']/g)
  return [...found].map(([, specifier = '']) => posix.join(posix.dirname(path), specifier))
}

/** @param {string[]} paths */
function withImports(paths, seen = new Set()) {
  for (const path of paths) {
    if (seen.has(path)) continue
    seen.add(path)
    withImports(staticImportsOf(path), seen)
  }
  return seen
}

const files = [...withImports(scriptsOf(read('index.html')))]
if (files.length === 0) throw new Error('index.html names no script: nothing was measured')
const bytes = files.reduce((sum, path) => sum + gzipSync(read(path)).length, 0)
const kb = (bytes / 1000).toFixed(1)
console.log(`Initial JavaScript on /: ${kb} kB gzip of ${BUDGET_KB} kB (${files.join(', ')})`)
if (bytes > BUDGET_KB * 1000) {
  console.error(`Over budget. Load what / does not need lazily.`)
  process.exit(1)
}
