import { gzipSync } from 'node:zlib'
import { expectAccessible, expectNoSidewaysScroll } from './checks.ts'
import { expect, MODES, test, WIDTHS } from './fixtures.ts'

const PAGES = { 'the landing page': '/', 'a page to come': '/ComingSoon', 'no page': '/nowhere' }

for (const [name, path] of Object.entries(PAGES)) {
  for (const width of WIDTHS) {
    for (const mode of MODES) {
      test(`${name} is whole and accessible at ${width} px, ${mode}`, async ({ page }) => {
        await page.emulateMedia({ colorScheme: mode })
        await page.setViewportSize({ width, height: 800 })
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expectNoSidewaysScroll(page)
        await expectAccessible(page)
      })
    }
  }
}

test('the open menu on a phone is accessible', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto('/')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
})

test('the hero leads to sign-up, under its own title', async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveTitle(/Empower your financial future/)
  await page.getByRole('link', { name: 'Sign-Up' }).first().click()
  await expect(page).toHaveURL(/\/Signup$/)
  await expect(page).toHaveTitle('Create Account · Bifolia')
})

test('one question is open at a time, the first to begin with', async ({ page }) => {
  await page.goto('/')
  const open = page.locator('details[open] summary')
  await expect(open).toHaveText(['Is any income guaranteed?'])
  await page.getByText('What are the two legs?').click()
  await expect(open).toHaveText(['What are the two legs?'])
})

test('nothing is fetched from anywhere else', async ({ page, server }) => {
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url)) foreign.push(request.url())
  })
  await page.goto('/', { waitUntil: 'networkidle' })
  expect(foreign).toEqual([])
})

test('the first screen needs at most 150 kB of script, compressed', async ({ page }) => {
  const scripts: Promise<Buffer>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.body())
  })
  await page.goto('/', { waitUntil: 'networkidle' })
  expect(scripts.length).toBeGreaterThan(0)
  const sizes = (await Promise.all(scripts)).map((script) => gzipSync(script).length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(150_000)
})
