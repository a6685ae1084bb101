import type { Plugin } from 'vite'
import { themeStylesheet } from '../src/app/theme/css.ts'
import { theme } from '../src/app/theme/theme.ts'

const PUBLIC_ID = 'virtual:theme.css'
const RESOLVED_ID = '\0theme.css'

/**
 * Turns the theme into a style sheet at build time. The policy forbids inline styles, and variables
 * set by script would arrive after the first paint.
 */
export function themeCss(): Plugin {
  return {
    name: 'theme-css',
    resolveId: (id) => (id === PUBLIC_ID ? RESOLVED_ID : undefined),
    load: (id) => (id === RESOLVED_ID ? themeStylesheet(theme) : undefined),
  }
}
