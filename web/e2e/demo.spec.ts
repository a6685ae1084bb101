import type { Page } from '@playwright/test'
import { expectWhole } from './checks.ts'
import { enter, expect, openHealth, test } from './console.ts'
import { useSession } from './fixtures.ts'
import { signInOperator } from './operator.ts'
import { startEmpty } from './server.ts'

const ENGLISH = 'Demo: all people and money here are invented'
const HINDI = 'डेमो: यहाँ के सभी लोग और पैसे काल्पनिक हैं'

/** The banner is in the first response, above everything else, and covers nothing. */
async function expectBanner(page: Page, text: string) {
  const banner = page.getByRole('complementary', { name: 'Demo', exact: true })
  await expect(banner).toBeVisible()
  expect((await banner.innerText()).trim()).toBe(text)
  const ends = await banner.evaluate((element) => element.getBoundingClientRect().bottom)
  const header = await page
    .locator('header')
    .first()
    .evaluate((element) => element.getBoundingClientRect().top)
  expect(header).toBeGreaterThanOrEqual(Math.floor(ends))
}

for (const path of ['/', '/Login', '/no/such/page']) {
  test.describe(`at ${path}`, () => {
    test.use({ expectedErrors: /status of 404/ })
    test(`a demo shows its banner at ${path}`, async ({ page, request }) => {
      expect(await (await request.get(path)).text()).toContain(ENGLISH)
      await page.setViewportSize({ width: 360, height: 740 })
      await page.goto(path)
      await expectBanner(page, ENGLISH)
      await expectWhole(page)
    })
  })
}

test('a demo shows members its banner in their language', async ({ page, memberSession }) => {
  await useSession(page, memberSession)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/dashboard')
  await expectBanner(page, ENGLISH)
  await page
    .context()
    .addCookies([{ name: 'bifolia.language', value: 'hi', url: new URL(page.url()).origin }])
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'hi')
  await expectBanner(page, HINDI)
})

test('a demo shows its banner in the console, and no proxy warning', async ({
  ownerPage: page,
}) => {
  await page.goto('/admin')
  await expectBanner(page, ENGLISH)
  await openHealth(page)
  const reach = page.getByRole('region', { name: 'Network access', exact: true })
  await expect(reach.getByText('OK', { exact: true })).toHaveCount(3)
})

test('an untrusted proxy is reported with the setting to change', async ({ page }) => {
  const server = await startEmpty(['--demo-history=false', '--auto-close=false'])
  try {
    await fetch(`${server.url}/healthz`, { headers: { 'X-Forwarded-For': '203.0.113.9' } })
    await enter(page, {
      id: '',
      email: server.demo.operator.email,
      token: await signInOperator(server.url, server.demo.operator),
    })
    await page.goto(`${server.url}/admin`)
    await openHealth(page)
    const reach = page.getByRole('region', { name: 'Network access', exact: true })
    await expect(reach).toContainText('Not trusted')
    const alarm = page.getByRole('alert').filter({ hasText: 'trusted_proxies' })
    await expect(alarm).toContainText('127.0.0.1')
    await expectWhole(page)
    await page.close()
  } finally {
    await server.stop()
  }
})
