import type { Strings } from './strings/index.ts'

/** Other browsers say that they are Chrome or Safari too: those come last. */
const BROWSERS = [
  [/\b(?:Edg|EdgA|EdgiOS)\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const

/** Android says that it is Linux too, and an iPhone that it is like Mac OS. */
const SYSTEMS = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const

type Names = readonly (readonly [RegExp, string])[]

const nameIn = (names: Names, agent: string) => names.find(([mark]) => mark.test(agent))?.[1]

/**
 * What a browser says of itself, in words that people know: the name of the browser and of the
 * system. What is not known is shown as it was sent.
 */
export function deviceOf(agent: string, both: Strings['device']): string {
  const browser = nameIn(BROWSERS, agent)
  const system = nameIn(SYSTEMS, agent)
  if (!browser) return agent
  return system ? both({ browser, system }) : browser
}
