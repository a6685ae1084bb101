import type { Strings } from './strings/index.ts'

/** The most specific names come first: other browsers also claim to be Chrome or Safari. */
const BROWSERS = [
  [/\b(?:Edg|EdgA|EdgiOS)\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const

/** Android also claims to be Linux, and an iPhone to be like Mac OS. */
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
 * The names of the browser and the system in a User-Agent header. An unknown one is shown as it was
 * sent.
 */
export function deviceOf(agent: string, both: Strings['device']): string {
  const browser = nameIn(BROWSERS, agent)
  const system = nameIn(SYSTEMS, agent)
  if (!browser) return agent
  return system ? both({ browser, system }) : browser
}
