import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { adminDoors, adminPaths, memberPaths, publicPaths } from '../src/lib/paths.ts'
import { setMode, walk } from './checks.ts'
import { enter } from './console.ts'
import { expect, test } from './history.ts'
import { signInOperator } from './operator.ts'
import { MODES, WIDTHS } from './widths.ts'

/**
 * Pictures of every screen, by one page that walks them all: the app is loaded once. SCREENS in the
 * environment, a pattern, takes only those whose picture's name fits it (`SCREENS=admin-fund`);
 * RESUME=1 leaves what an earlier run has taken already.
 */

test.use({ accessibleAtEnd: false })
test.setTimeout(1_800_000)

const folder = fileURLToPath(new URL('../screenshots/', import.meta.url))

const wanted = new RegExp(process.env.SCREENS ?? '', 'i')
const resuming = process.env.RESUME === '1'

/** The picture's name: the address without its slashes, a filter after a dot. */
const nameOf = (address: string) =>
  address
    .slice(1)
    .replace(/[?&]uid=\d+/, '')
    .replaceAll('/', '-')
    .replace(/[?&]\w+=/g, '.')
    .toLowerCase() || 'landing'

const fileOf = (name: string, width: number, mode = 'light') =>
  `${folder}${name}-${width}-${mode}.png`

/** Whether any of a screen's pictures is still to be taken. */
const isDue = (name: string) =>
  wanted.test(name) &&
  !(
    resuming &&
    WIDTHS.every((width) => MODES.every((mode) => existsSync(fileOf(name, width, mode))))
  )

/** Goes there and waits until all of it is there. */
async function walkTo(page: Page, address: string) {
  if (page.url().endsWith(address)) return
  const before = await page.title()
  await walk(page, address)
  // No two screens in a row have one title.
  await expect(page).not.toHaveTitle(before)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await settled(page)
}

async function settled(page: Page) {
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
  // A tab that nobody has opened yet has not asked for its rows.
  await expect(page.locator('.mantine-Skeleton-root:visible')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
}

async function takeAll(page: Page, addresses: readonly string[]) {
  const due = addresses.filter((address) => isDue(nameOf(address)))
  test.skip(due.length === 0, 'nothing to take')
  await page.goto('/ComingSoon')
  await page.getByRole('heading', { level: 1 }).waitFor()
  for (const address of due) {
    await test.step(address, async () => {
      await walkTo(page, address)
      for (const width of WIDTHS) await takeAt(page, nameOf(address), width)
    })
  }
}

async function takeAt(page: Page, name: string, width: number) {
  await page.setViewportSize({ width, height: 900 })
  for (const mode of MODES) {
    await setMode(page, mode)
    await page.screenshot({ path: fileOf(name, width, mode), fullPage: true })
  }
}

test('the public pages', async ({ page }) => {
  await takeAll(page, [...publicPaths, '/no-such-page', '/info/terms', ...adminDoors])
})

test('the member screens', async ({ memberPage: page }) => {
  await takeAll(page, memberPaths)
})

test("the operators' console", async ({ page, server }) => {
  const { email } = server.demo.operator
  const token = await signInOperator(server.url, server.demo.operator)
  await enter(page, { id: '', email, token })
  const member = server.demo.member.id
  await takeAll(
    page,
    adminPaths.map((path) => (path === '/admin/member' ? `${path}?uid=${member}` : path)),
  )
})

test('the open menus on a phone', async ({ memberPage: page }) => {
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
