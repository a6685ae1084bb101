// Writes dist/pages.json: for every address the files that its screen needs beyond those of the
// page, and the screen as it renders before any request. The server sends both with the page
// (internal/platform/webui), so that the first paint waits for no script and the files load in parallel.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const web = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(web, '../internal/platform/webui/dist')

/** @type {Record<string, { file: string, imports?: string[], css?: string[] }>} */
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'))
/** @type {Record<string, string>} */
const fileOf = JSON.parse(readFileSync(join(dist, '.vite/modules.json'), 'utf8'))
const { render, describe, publicPaths, memberPaths, adminPaths, adminDoors } = await import(
  join(web, 'node_modules/.prerender/prerender.js')
)

/** How `screens.ts` of a feature names the file that shows an address. */
const IMPORT = /'(\/[^']*)': \(\) => import\('\.\/([^']+)'\)/g

const shownBy = new Map()
for (const part of ['site', 'member', 'console']) {
  for (const feature of readdirSync(join(web, 'src/features', part))) {
    const folder = `src/features/${part}/${feature}`
    const screens = join(web, folder, 'screens.ts')
    const text = existsSync(screens) ? readFileSync(screens, 'utf8') : ''
    for (const [, address, file] of text.matchAll(IMPORT)) shownBy.set(address, `${folder}/${file}`)
  }
}

/** The modules that the router loads around a screen (src/app/router.tsx). */
const KIT = 'src/app/kit/Kit.tsx'
const MEMBER = [KIT, 'src/app/member/MemberShell.tsx', 'src/lib/strings/member.ts']
const CONSOLE = [KIT, 'src/app/console/ConsoleRoot.tsx', 'src/lib/strings/console.ts']

/**
 * Scripts and styles of chunks, in the order in which they would be loaded one after the other.
 * @param {string[]} keys of the manifest
 * @param {Set<string>} found
 */
function filesOf(keys, found = new Set()) {
  for (const key of keys) {
    const chunk = manifest[key]
    if (!chunk || found.has(chunk.file)) continue
    found.add(chunk.file)
    filesOf(chunk.imports ?? [], found)
    for (const file of chunk.css ?? []) found.add(file)
  }
  return found
}

/** @param {string} module */
function keyOf(module) {
  const found = Object.entries(manifest).find(([, chunk]) => chunk.file === fileOf[module])
  if (!found) throw new Error(`${module} is in no file of the build`)
  return found[0]
}

const index = readFileSync(join(dist, 'index.html'), 'utf8')

/** @param {string} address @param {string[]} around */
function needed(address, around) {
  const screen = shownBy.get(address)
  const files = filesOf([...around, ...(screen ? [screen] : [])].map(keyOf))
  return [...files].filter((file) => !index.includes(file)).map((file) => `/${file}`)
}

/** Attributes that nobody sees; the inert shell must not be found by them. */
const UNSEEN =
  / (id|for|title|name|role|data-discover|autocomplete|aria-(label|labelledby|describedby|controls))="[^"]*"/g

/**
 * The shell of an address. It is inert: input into it would be lost. The policy forbids styles in
 * markup, so first-paint.js sets them. The lengths of the brand's lists are not known here, so the
 * first page ends before them and all pages lack the footer.
 * @param {string} address
 */
async function shellOf(address) {
  const whole = await render(address).catch((/** @type {unknown} */ error) => {
    console.warn(
      `${address} cannot be rendered without a browser, and comes without a shell:`,
      error,
    )
  })
  if (!whole) return {}
  const html = whole
    .replace(/<footer.*<\/footer>/s, '')
    .replace(/<section(?:(?!<section).)*{{counters.*<\/main>/s, '</main>')
    .replaceAll(UNSEEN, '')
    .replaceAll('<input ', '<input readonly ')
    .replaceAll(' style="', ' data-style="')
  return { shell: `<div inert aria-hidden="true">${html}</div>` }
}

/** Public screens that contain no more of the brand than its name. */
const DOORS = ['/', '/Login', '/Signup', '/ForgotPassword', '/AdminLogin']

/** Public screens that make sense only to the person who was sent there, or to nobody. */
const HIDDEN = ['/ConfirmEmail', '/WelcomePage', '/AdminLogin', '/ComingSoon']

/** @type {Record<string, { shell?: string, member?: boolean, files: string[], path?: string, hidden?: boolean, title?: string, text?: string }>} */
const pages = { '/dev/kit': { files: needed('/dev/kit', [KIT]) } }
for (const address of publicPaths) {
  const files = address === '/' ? [] : needed(address, [KIT])
  const shell = DOORS.includes(address) ? await shellOf(address) : {}
  const about = { path: address, hidden: HIDDEN.includes(address), ...describe(address) }
  pages[address.toLowerCase()] = { ...shell, files, ...about }
}
for (const address of memberPaths) {
  const files = needed(address, MEMBER)
  pages[address.toLowerCase()] = { ...(await shellOf(address)), member: true, files }
}
for (const address of adminPaths) {
  const files = needed(address, [...CONSOLE, 'src/app/console/ConsoleShell.tsx'])
  pages[address.toLowerCase()] = { files }
}
for (const address of adminDoors) {
  const files = needed(address, [...CONSOLE, 'src/app/console/ConsoleDoor.tsx'])
  pages[address.toLowerCase()] = { files }
}
writeFileSync(join(dist, 'pages.json'), JSON.stringify(pages))
// The server embeds the folder; these two lists were for this script.
rmSync(join(dist, '.vite'), { recursive: true })
// The rendered screens leave timers, which would keep the process alive.
process.exit(0)
