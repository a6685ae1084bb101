import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import english from '../../messages/en/site/site.json' with { type: 'json' }
import hindi from '../../messages/hi/site/site.json' with { type: 'json' }
import { adminDoors, adminPaths, memberPaths, publicPaths } from '../src/lib/paths.ts'
import { setMode, walk } from './checks.ts'
import { enter } from './console.ts'
import { useSession } from './fixtures.ts'
import { expect, test } from './history.ts'
import { signInOperator } from './operator.ts'
import { openSession, register } from './people.ts'
import { MODES, WIDTHS } from './widths.ts'

/**
 * Screenshots of every screen. Each page walks through a dozen screens, so that the app is loaded
 * once for them. Environment: SCREENS, a pattern, selects pictures by name (`SCREENS=admin-fund`);
 * RESUME=1 skips those that exist, as the second try of a walk does; SPEAK=hi takes them in Hindi;
 * ONLY=360-light at one width in one mode.
 */

test.use({ accessibleAtEnd: false })
test.describe.configure({ retries: 1 })
test.setTimeout(900_000)

const folder = fileURLToPath(new URL('../screenshots/', import.meta.url))

const wanted = new RegExp(process.env.SCREENS ?? '', 'i')
const resuming = () => process.env.RESUME === '1' || test.info().retry > 0
const language = process.env.SPEAK ?? 'en'

const looks = WIDTHS.flatMap((width) => MODES.map((mode) => ({ width, mode }))).filter(
  ({ width, mode }) => `${width}-${mode}`.includes(process.env.ONLY ?? ''),
)

/** The picture's name: the address without its slashes, with a filter after a dot. */
const nameOf = (address: string) =>
  address
    .slice(1)
    .replace(/[?&]uid=\d+/, '')
    .replaceAll('/', '-')
    .replace(/[?&]\w+=/g, '.')
    .toLowerCase() || 'landing'

const fileOf = (name: string, width: number, mode = 'light') =>
  `${folder}${name}-${width}-${mode}${language === 'en' ? '' : `-${language}`}.png`

/** Whether any picture of a screen is missing. */
const isDue = (name: string) =>
  wanted.test(name) &&
  !(resuming() && looks.every(({ width, mode }) => existsSync(fileOf(name, width, mode))))

/** Navigates and waits until the screen has loaded. */
async function walkTo(page: Page, address: string) {
  if (page.url().endsWith(address)) return
  const before = await page.title()
  await walk(page, address)
  // Screens in a row have different titles.
  await expect(page).not.toHaveTitle(before)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await settled(page)
}

async function settled(page: Page) {
  const loading = new RegExp(`^(${english.shell.loading}|${hindi.shell.loading})$`)
  await expect(page.getByRole('status', { name: loading })).toHaveCount(0)
  // A tab that was never open has not loaded its rows.
  await expect(page.locator('.mantine-Skeleton-root:visible')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
}

async function takeAll(page: Page, addresses: readonly string[]) {
  const due = addresses.filter((address) => isDue(nameOf(address)))
  test.skip(due.length === 0, 'nothing to take')
  await page.goto('/info/terms')
  const choice = { name: 'bifolia.language', value: language, url: page.url() }
  await page.context().addCookies([choice])
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  for (const address of due) {
    await test.step(address, async () => {
      await walkTo(page, address)
      for (const { width, mode } of looks) {
        await page.setViewportSize({ width, height: 900 })
        await setMode(page, mode)
        await page.screenshot({ path: fileOf(nameOf(address), width, mode), fullPage: true })
      }
    })
  }
}

/** Walks of about equal length, for the workers. */
function* walks(addresses: readonly string[], length = 11) {
  for (let at = 0; at < addresses.length; at += length) yield addresses.slice(at, at + length)
}

test('the public pages', async ({ page }) => {
  await takeAll(page, [...publicPaths, '/no-such-page', '/info/terms', ...adminDoors])
})

for (const addresses of walks(memberPaths)) {
  test(`the member screens from ${addresses[0]}`, async ({ memberPage: page }) => {
    await takeAll(page, addresses)
  })
}

test('the dashboard of a new member', async ({ page, server }) => {
  test.skip(!isDue('new-member'), 'nothing to take')
  const own = await register(server.url, server.demo.member.id, 'Left', 'Nina Newcomer')
  await useSession(page, await openSession(server.url, own))
  await page.goto('/dashboard')
  await page.getByRole('heading', { name: 'Get started' }).waitFor()
  await settled(page)
  for (const { width, mode } of looks) {
    await page.setViewportSize({ width, height: 900 })
    await setMode(page, mode)
    await page.screenshot({ path: fileOf('new-member', width, mode), fullPage: true })
  }
})

for (const addresses of walks(adminPaths)) {
  test(`the operators' console from ${addresses[0]}`, async ({ page, server }) => {
    const { email } = server.demo.operator
    const token = await signInOperator(server.url, server.demo.operator)
    await enter(page, { id: '', email, token })
    const member = server.demo.member.id
    await takeAll(
      page,
      addresses.map((path) => (path === '/admin/member' ? `${path}?uid=${member}` : path)),
    )
  })
}

test('the open menus on a phone', async ({ memberPage: page }) => {
  test.skip(language !== 'en', 'found by its English name')
  await page.setViewportSize({ width: 360, height: 800 })
  for (const [name, address] of [
    ['menu', '/'],
    ['member-menu', '/MyReferral'],
  ] as const) {
    await page.goto(address)
    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.screenshot({ path: fileOf(name, 360) })
  }
})

test('what the README shows', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.goto('/')
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: `${folder}readme.png` })
})
