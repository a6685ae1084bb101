import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Puts the script that applies a stored theme choice into the head, as a classic script that
 * blocks the first paint. Vite bundles modules only, and those run too late; an inline script
 * would break the content security policy.
 */
export function firstPaint(file: string): Plugin {
  let fileName = ''
  let devUrl = ''
  return {
    name: 'first-paint',
    configResolved(config) {
      devUrl = `/${relative(config.root, file)}`
    },
    buildStart() {
      if (this.environment.mode !== 'build') return
      const source = readFileSync(file, 'utf8')
      const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8)
      fileName = `assets/first-paint-${hash}.js`
      this.emitFile({ type: 'asset', fileName, source })
    },
    transformIndexHtml() {
      const src = fileName ? `/${fileName}` : devUrl
      return [{ tag: 'script', attrs: { src }, injectTo: 'head-prepend' }]
    },
  }
}
