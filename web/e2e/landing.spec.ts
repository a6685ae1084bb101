import { gzipSync } from 'node:zlib'
import { expectAccessible, expectNoSidewaysScroll } from './checks.ts'
import { expect, test } from './fixtures.ts'
import { letterTo, linkIn } from './mail.ts'

test('the open menu on a phone is accessible', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto('/')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
})

test('sections are in order, and every link of the footer works', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'How your money is protected',
    'Our projects',
    'Our Packages',
    'Faq',
    'Contact Us',
    'About the forex bot',
    'Look at the figures first',
    'Quick links',
    'Support',
    'Company',
  ])
  const footer = page.getByRole('contentinfo')
  await expect(footer).toContainText('© 2024')
  for (const network of ['facebook', 'instagram', 'linkedin', 'youtube', 'twitter']) {
    await expect(footer.getByRole('link', { name: network })).toHaveAttribute('href', /^https:/)
  }
  const labels = ['About Us', 'Teams', 'Services', 'Features', 'Terms and Conditions']
  labels.push('Privacy Policy', 'FAQs', 'Support Center', 'Careers', 'Updates', 'Job', 'Announce')
  labels.push('On iPhone', 'On Android')
  for (const label of labels) {
    await footer.getByRole('link', { name: label, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Page not found')
  }
})

test('Watch Video plays an animation that can be paused and closed', async ({ page }) => {
  // For who asks for stillness it does not start by itself.
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/')
  await page.getByRole('button', { name: 'Watch Video' }).click()
  const dialog = page.getByRole('dialog', { name: 'Bifolia in one minute' })
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Pause' }).click()
  await expect(dialog.getByRole('button', { name: 'Play' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Next' }).click()
  await expect(dialog.getByRole('heading', { level: 3 })).toHaveText(/^2\. /)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Watch Video' }).click()
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
})

test.describe('when the animation cannot be loaded', () => {
  test.use({ expectedErrors: /Failed to load resource|dynamically imported/ })

  test('Watch Video shows an error, and plays on retry', async ({ page }) => {
    await page.goto('/')
    await page.route('**/assets/Explainer-*', (route) => route.abort())
    await page.getByRole('button', { name: 'Watch Video' }).click()
    await expect(page.getByRole('alert')).toHaveText(/could not be loaded/)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.unroute('**/assets/Explainer-*')
    await page.getByRole('button', { name: 'Watch Video' }).click()
    await expect(page.getByRole('dialog', { name: 'Bifolia in one minute' })).toBeVisible()
  })
})

test('Explore More shows the full text', async ({ page }) => {
  await page.goto('/')
  const story = page.getByText('Two leaves gave it its name')
  await expect(story).toBeHidden()
  await page.getByRole('button', { name: 'Explore More' }).click()
  await expect(story).toBeVisible()
})

test('the newsletter takes a confirmed address, and can be cancelled', async ({ page, server }) => {
  const email = `reader${Date.now()}@demo.example`
  await page.goto('/#Contact')
  await page.getByPlaceholder('Email Address').fill(email)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText(/^Thank you\./)).toBeVisible()
  const letter = await letterTo(server.url, email, /newsletter\/confirm/)
  await page.goto(linkIn(letter, '/api/newsletter/confirm'))
  await page.getByRole('button', { name: 'Yes, send them' }).click()
  await expect(page.getByText('Your address is confirmed.')).toBeVisible()
  await page.goto(linkIn(letter, '/api/newsletter/unsubscribe'))
  await page.getByRole('button', { name: 'End it' }).click()
  await expect(page.getByText('You get no more letters.')).toBeVisible()
})

test('the layout does not shift after the first paint', async ({ page }) => {
  await page.addInitScript(() => {
    const seen = { shift: 0 }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        seen.shift += (entry as unknown as { value: number }).value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto('/', { waitUntil: 'networkidle' })
  const shift = await page.evaluate(
    () => (window as unknown as { seen: { shift: number } }).seen.shift,
  )
  expect(shift).toBeLessThan(0.1)
})

test('the whole page is in Hindi', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('combobox').selectOption('hi')
  await expect(page.locator('html')).toHaveAttribute('lang', 'hi')
  await expect(page).toHaveTitle(/सशक्त/)
  await expect(page.locator('meta[name="description"]')).toHaveAttribute('content', /फ़ॉरेक्स/)
  for (const path of [
    '/',
    '/Signup',
    '/ForgotPassword',
    '/Bifolia',
    '/info/terms',
    '/ComingSoon',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/[\u0900-\u097f]/)
    const latin = await page.evaluate(() => {
      const words = (document.querySelector('main') as HTMLElement).innerText.match(/[A-Za-z]{4,}/g)
      return [...new Set(words)]
    })
    const names = /^(Bifolia|Leafswap|Leaves|Travel|Venation|Gridleaf|Trendleaf|Folio|Coin|USDT)$/
    const codes = /^(default|[0-9a-f]+|UTC|Name|Sponsor)$/
    const countries = path === '/Signup'
    if (!countries) expect(latin.filter((w) => !names.test(w) && !codes.test(w))).toEqual([])
  }
})

test('the hero leads to sign-up, under its own title', async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveTitle(/Empower your financial future/)
  await page.getByRole('link', { name: 'Sign-Up' }).first().click()
  await expect(page).toHaveURL(/\/Signup$/)
  await expect(page).toHaveTitle('Create Account · Bifolia')
})

test('a new visit starts at the top, a reload where it was', async ({ page }) => {
  await page.goto('/')
  await page.evaluate(() => window.scrollTo(0, 1_500))
  await page.getByRole('contentinfo').getByRole('link', { name: 'Careers' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Careers')
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  await page.evaluate(() => window.scrollTo(0, 1_500))
  await page.reload()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(1_000)
})

test('an anchor stops below the header', async ({ page }) => {
  await page.goto('/')
  await page
    .getByRole('navigation', { name: 'Main menu' })
    .getByRole('link', { name: 'Faq' })
    .click()
  const distance = () =>
    page.evaluate(() => {
      const top = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()
      return Math.round((top('#Faq')?.top ?? 0) - (top('header')?.bottom ?? 0))
    })
  await expect.poll(distance).toBeLessThanOrEqual(0)
  expect(await distance()).toBeGreaterThan(-3)
})

test('one question is open at a time, the first by default', async ({ page }) => {
  await page.goto('/')
  const open = page.locator('details[open] summary')
  await expect(open).toHaveText(['Is any income guaranteed?'])
  await page.getByText('What are the two legs?').click()
  await expect(open).toHaveText(['What are the two legs?'])
})

test('every request goes to the own server', async ({ page, server }) => {
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url)) foreign.push(request.url())
  })
  await page.goto('/', { waitUntil: 'networkidle' })
  expect(foreign).toEqual([])
})

test('the first screen needs at most 132 kB of script, compressed', async ({ page }) => {
  const scripts: Promise<Buffer>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.body())
  })
  await page.goto('/', { waitUntil: 'networkidle' })
  expect(scripts.length).toBeGreaterThan(0)
  const sizes = (await Promise.all(scripts)).map((script) => gzipSync(script).length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(132_000)
})
