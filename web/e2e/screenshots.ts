import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { adminDoors, adminPaths, memberPaths, publicPaths } from '../src/lib/paths.ts'
import { enter } from './console.ts'
import { expect, test } from './history.ts'
import { signInOperator } from './operator.ts'
import { MODES, WIDTHS } from './widths.ts'

/** Pictures of every screen, by one page that walks them all: the app is loaded once. */

test.use({ accessibleAtEnd: false })
test.setTimeout(1_800_000)

const folder = fileURLToPath(new URL('../screenshots/', import.meta.url))

const nameOf = (address: string) =>
  (address.split('?')[0] ?? '').slice(1).replaceAll('/', '-').toLowerCase() || 'landing'

/** Goes there as a link does, without loading the app anew, and waits until all of it is there. */
async function walkTo(page: Page, address: string) {
  const before = await page.title()
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
    scrollTo(0, 0)
  }, address)
  // No two screens in a row have one title.
  await expect(page).not.toHaveTitle(before)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await settled(page)
}

async function settled(page: Page) {
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
  await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
}

/** Without this a busy machine takes pictures of half a change: dark text on dark, or nothing. */
const painted = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
      }),
  )

async function takeAll(page: Page, addresses: readonly string[]) {
  await page.goto('/ComingSoon')
  await page.getByRole('heading', { level: 1 }).waitFor()
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    for (const address of addresses) {
      await test.step(`${address} at ${width} px`, async () => {
        await walkTo(page, address)
        for (const mode of MODES) {
          await page.emulateMedia({ colorScheme: mode, reducedMotion: 'reduce' })
          await painted(page)
          const path = `${folder}${nameOf(address)}-${width}-${mode}.png`
          await page.screenshot({ path, fullPage: true })
        }
      })
    }
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
  ]) {
    await page.goto(address ?? '/')
    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.screenshot({ path: `${folder}${name}-360-light.png` })
  }
})

test('what the README shows', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.goto('/')
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: `${folder}readme.png` })
})
