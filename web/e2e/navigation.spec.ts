import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const PHONE = { width: 360, height: 740 }

const topOf = (page: Page, id: string) =>
  page.locator(`#${id}`).evaluate((element) => Math.round(element.getBoundingClientRect().top))

test.describe('on a phone', () => {
  test.use({ viewport: PHONE, hasTouch: true })

  test('the menu opens, lists every link with Login and Register, and closes', async ({ page }) => {
    await page.goto('/')
    const menu = page.getByRole('navigation', { name: 'Main menu' })
    await expect(menu).toBeHidden()
    await page.getByRole('button', { name: 'Open menu' }).tap()
    await expect(menu.getByRole('link')).toHaveText([
      'Home',
      'Services',
      'About',
      'Faq',
      'Contact Us',
      'Login',
      'Register',
    ])
    await page.getByRole('button', { name: 'Close menu' }).tap()
    await expect(menu).toBeHidden()
  })

  test('following a link closes the menu', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Open menu' }).tap()
    const menu = page.getByRole('navigation', { name: 'Main menu' })
    await menu.getByRole('link', { name: 'Register' }).tap()
    await expect(page).toHaveURL(/\/Signup$/)
    await expect(menu).toBeHidden()
  })
})

test('the menu works by keyboard', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await page.goto('/')
  const button = page.getByRole('button', { name: 'Open menu' })
  await expect(button).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  const menu = page.getByRole('navigation', { name: 'Main menu' })
  await expect(menu).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(menu.getByRole('link', { name: 'Home' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(button).toBeFocused()
})

test('focus is visible', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  const logo = page.getByRole('link', { name: 'Bifolia, home' })
  await expect(logo).toBeFocused()
  await expect(logo).toHaveCSS('outline-style', 'solid')
})

test('the skip link leads to the content', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to content' })
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

for (const id of ['Services', 'About', 'Faq']) {
  test(`#${id} is reached from the header, from another page and by its address`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1440, height: 700 })
    const link = page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: id })
    const expectThere = async () => {
      await expect(page).toHaveURL(new RegExp(`/#${id}$`))
      await expect.poll(() => topOf(page, id)).toBeGreaterThanOrEqual(60)
      await expect.poll(() => topOf(page, id)).toBeLessThanOrEqual(90)
    }
    await page.goto('/')
    await link.click()
    await expectThere()
    await expect(page.locator(`#${id}`)).toBeFocused()
    await page.goto('/ComingSoon')
    await link.click()
    await expectThere()
    await page.goto('/info/terms')
    await page.goto(`/#${id}`)
    await expectThere()
  })
}

test('going back restores the scroll position', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 700 })
  await page.goto('/')
  await page.evaluate(() => window.scrollTo(0, 900))
  await page.getByRole('contentinfo').getByRole('link', { name: 'Transparency' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveTitle('Transparency · Bifolia')
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
  await page.goBack()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(800)
})

test('a page opened by its address survives a reload', async ({ page }) => {
  await page.goto('/ForgotPassword?from=mail')
  await expect(page).toHaveTitle('Forgot password · Bifolia')
  await page.reload()
  await expect(page).toHaveTitle('Forgot password · Bifolia')
  await expect(page).toHaveURL(/\?from=mail$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Forgot password')
})

test('addresses ignore case', async ({ page }) => {
  await page.goto('/login')
  await expect(page).toHaveTitle('Login · Bifolia')
})

test.describe('an unknown address', () => {
  // The page comes with status 404.
  test.use({ expectedErrors: /status of 404/ })

  test('says so and leads home', async ({ page }) => {
    await page.goto('/no/such/page')
    await expect(page).toHaveTitle('Page not found · Bifolia')
    await page.getByRole('main').getByRole('link', { name: 'Go home' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Empower')
  })
})

test.describe('at an unknown address', () => {
  test.use({ expectedErrors: /status of 404/ })

  test('members keep their account on public and unknown addresses', async ({
    memberPage: page,
  }) => {
    await page.goto('/Login')
    const door = page.getByRole('banner').getByRole('link', { name: 'Go to dashboard' })
    await expect(door).toHaveAttribute('href', '/dashboard')
    await page.goto('/')
    await expect(door).toBeVisible()
    await page.goto('/no/such/page')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found')
    await expect(page.getByRole('navigation', { name: 'Member menu' })).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Go to dashboard' }).click()
    await expect(page).toHaveTitle('Dashboard · Bifolia')
  })
})

test.describe('when the code of a screen cannot be fetched', () => {
  test.use({ expectedErrors: /Failed to (load resource|fetch dynamically)/ })

  test('the error page offers a retry, which works', async ({ page }) => {
    await page.route('**/assets/kit-*.js', (route) => route.abort())
    await page.goto('/')
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).click()
    await expect(page.getByRole('alert')).toContainText('Something went wrong')
    await expect(page.getByRole('banner')).toBeVisible()
    await page.unroute('**/assets/kit-*.js')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Login')
  })
})
