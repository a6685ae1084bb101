/**
 * The browser globals that the app reads while it renders without a browser: the brand, as
 * placeholders that the server replaces (internal/platform/webui); a member's session; a window wide enough
 * for the menu, which a style hides where it is not.
 */
import demo from '../../internal/office/brand/demo.json'

function named(value: unknown, name: string): unknown {
  if (typeof value === 'string') return `{{${name}}}`
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, named(inner, `${name}.${key}`)])
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}

const brand = JSON.stringify({
  site: named(demo.site, 'site'),
  counters: named(demo.counters, 'counters'),
})
const member = { isAuth: true, userId: '', username: '', jwtToken: '', ipAddress: '' }
const storage = (entries: Record<string, string>) => ({
  getItem: (key: string) => entries[key] ?? null,
})

Object.assign(globalThis, {
  document: { getElementById: () => ({ textContent: brand }) },
  window: { innerWidth: 1280 },
  location: { origin: 'http://bifolia.invalid' },
  localStorage: storage({}),
  sessionStorage: storage({ 'bifolia.session': JSON.stringify(member) }),
})
