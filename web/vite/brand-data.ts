import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/**
 * The place in the page where the server puts the brand (internal/platform/webui). Vite's development server
 * puts the demo brand there.
 */
export function brandData(demoFile: string): Plugin {
  let filled = ''
  return {
    name: 'brand-data',
    configResolved(config) {
      if (config.command === 'build') return
      const { site, counters } = JSON.parse(readFileSync(demoFile, 'utf8'))
      filled = JSON.stringify({ site, counters }).replaceAll('<', '\\u003c')
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html.replace(
          '</head>',
          () => `<script type="application/json" id="brand">${filled}</script>\n  </head>`,
        ),
    },
  }
}
