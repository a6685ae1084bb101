import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

/** The usual paths of an installed Chromium. */
const KNOWN_PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

export const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * The Chromium of the tests: `CHROMIUM` if set, else the system's, else Playwright's. Throws if
 * there is none.
 */
export function browserPath(): string {
  const named = process.env.CHROMIUM
  if (named) {
    if (existsSync(named)) return named
    throw new Error(`CHROMIUM names ${named}, which does not exist.`)
  }
  const found = [...KNOWN_PLACES, chromium.executablePath()].find((path) => existsSync(path))
  if (found) return found
  throw new Error(
    'The browser tests need Chromium: install it (Debian: apt install chromium) or set CHROMIUM to its path.',
  )
}
