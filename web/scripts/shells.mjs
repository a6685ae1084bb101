// Writes dist/pages.json: for every address the files its screen needs beyond those of the page,
// and the screen as it is before it has asked for anything, which the program sends with the page
// (internal/webui). So the first paint waits for no script, and no file for another to name it.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const web = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(web, '../internal/webui/dist')

/** @type {Record<string, { file: string, imports?: string[], css?: string[] }>} */
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'))
/** @type {Record<string, string>} */
const fileOf = JSON.parse(readFileSync(join(dist, '.vite/modules.json'), 'utf8'))
const { render, publicPaths, memberPaths, adminPaths, adminDoors } = await import(
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

/** What the router loads around a screen (src/app/router.tsx). */
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

/** Nobody sees these, and nothing may find what is not the screen yet by them. */
const UNSEEN =
  / (id|for|title|name|role|data-discover|autocomplete|aria-(label|labelledby|describedby|controls))="[^"]*"/g

/**
 * What stands before the scripts are there. Nothing in it can be used: what people type into it
 * would be lost. The policy forbids styles in markup, so first-paint.js sets them. How long the
 * lists of a brand are is not known here, so the first page ends before them and all lack the foot.
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

/** Public screens that say no more of the brand than its name. */
const DOORS = ['/', '/Login', '/Signup', '/ForgotPassword', '/AdminLogin']

/** @type {Record<string, { shell?: string, member?: boolean, files: string[] }>} */
const pages = {}
for (const address of publicPaths) {
  const files = address === '/' ? [] : needed(address, [KIT])
  const shell = DOORS.includes(address) ? await shellOf(address) : {}
  pages[address.toLowerCase()] = { ...shell, files }
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
// The program embeds the folder; these two lists were for this script.
rmSync(join(dist, '.vite'), { recursive: true })
// What the screens started while they were rendered, timers of their data, would keep this alive.
process.exit(0)
