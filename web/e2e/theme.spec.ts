import type { Page } from '@playwright/test'
import { theme } from '../src/app/theme/theme.ts'
import { expect, test } from './fixtures.ts'
import { MODES } from './widths.ts'

const rgb = (hex: string) =>
  `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`

const expectMode = (page: Page, mode: 'light' | 'dark') =>
  expect(page.locator('body')).toHaveCSS(
    'background-color',
    rgb(theme.modes[mode].backgrounds.page),
  )

for (const mode of MODES) {
  test(`without a choice the page is ${mode} when the system is`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: mode })
    await page.goto('/')
    await expectMode(page, mode)
  })
}

test('follows the system while it changes', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectMode(page, 'dark')
  await expect(page.getByRole('button', { name: 'Use light theme' })).toBeVisible()
})

test('a choice wins over the system, survives a reload and can be undone', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')
  await page.getByRole('button', { name: 'Use dark theme' }).click()
  await expectMode(page, 'dark')
  await page.reload()
  await expectMode(page, 'dark')
  await page.getByRole('button', { name: 'Use light theme' }).click()
  await page.reload()
  await expectMode(page, 'light')
})

test('a stored choice is applied before the app loads', async ({ page, context, server }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await context.addCookies([{ name: 'bifolia.theme', value: 'dark', url: server.url }])
  // The app's code never arrives, so the page stays at the first paint.
  await page.route('**/assets/index-*.js', () => {})
  await page.goto('/', { waitUntil: 'commit' })
  await expectMode(page, 'dark')
  await expect(page.getByRole('heading')).toHaveCount(0)
})

test('reduced motion is respected', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/')
  const button = page.getByRole('link', { name: 'Sign-Up' }).first()
  await expect(button).toHaveCSS('transition-duration', '0s')
})
