import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { HtmlTagDescriptor, Plugin } from 'vite'

/**
 * Puts the script of the first paint into the head, as a classic, blocking script. Vite bundles
 * modules only, which run too late; an inline script would break the content security policy. It
 * also preloads the font, which its style sheet would only request when text is laid out. The app's
 * scripts get a lower priority than both: the first paint does not need them.
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
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        const src = fileName ? `/${fileName}` : devUrl
        const tags: HtmlTagDescriptor[] = [
          { tag: 'script', attrs: { src }, injectTo: 'head-prepend' },
        ]
        const font = Object.keys(bundle ?? {}).find((name) =>
          /latin-wght-normal.*woff2$/.test(name),
        )
        if (font) {
          const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}` }
          tags.push({
            tag: 'link',
            attrs: { ...attrs, crossorigin: true },
            injectTo: 'head-prepend',
          })
        }
        return {
          html: html.replace(
            /(<script type="module"|<link rel="modulepreload")/g,
            '$1 fetchpriority="low"',
          ),
          tags,
        }
      },
    },
  }
}
