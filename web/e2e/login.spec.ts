import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const fill = async (page: Page, userId: string, password: string) => {
  await page.getByLabel('User ID').fill(userId)
  await page.getByLabel('Password', { exact: true }).fill(password)
}
const submit = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Login' }).click()

test.describe('from the login to the log-out', () => {
  // Calls of the dashboard in flight are refused when the session ends.
  test.use({ expectedErrors: /status of 401/ })

  test('a member logs in and reaches the dashboard', async ({ page, server }) => {
    const { id, password } = server.demo.member
    await page.goto('/Login')
    await fill(page, id, password)
    await submit(page)
    await expect(page.getByText('Login successful!')).toBeVisible()
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard')
    const stored = await page.evaluate(() => sessionStorage.getItem('bifolia.session'))
    expect(Object.keys(JSON.parse(stored ?? '{}')).sort()).toEqual([
      'ipAddress',
      'isAuth',
      'jwtToken',
      'userId',
      'username',
    ])

    await page.getByRole('button', { name: 'Use dark theme' }).click()
    await page.getByRole('navigation', { name: 'Member menu' }).getByText('Log Out').click()
    await expect(page).toHaveURL(/\/$/)
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Empower')
    expect(await page.evaluate(() => sessionStorage.length + localStorage.length)).toBe(0)
    await page.goto('/dashboard')
    await expect(page).toHaveURL(/\/Login$/)
    // A log-out forgets the member but not the language and the colour mode.
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  })
})

test('both fields are required', async ({ page }) => {
  await page.goto('/Login')
  await submit(page)
  await expect(page.getByText('Please enter both User ID and password.')).toHaveCount(2)
  await expect(page.getByLabel('User ID')).toBeFocused()
})

test('a wrong password is refused, and the input is kept', async ({ page, server }) => {
  await page.goto('/Login')
  await fill(page, server.demo.member.id, 'not this one')
  await submit(page)
  await expect(page.getByText('Invalid username or password.')).toBeVisible()
  await expect(page.getByLabel('User ID')).toHaveValue(server.demo.member.id)
  await expect(page).toHaveURL(/\/Login$/)
})

test('the user id takes ten digits, and the password can be shown', async ({ page }) => {
  await page.goto('/Login')
  await page.getByLabel('User ID').pressSequentially('12ab34567890123')
  await expect(page.getByLabel('User ID')).toHaveValue('1234567890')
  const password = page.getByLabel('Password', { exact: true })
  await expect(password).toHaveAttribute('maxlength', '30')
  await password.fill('secret')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
})

test.describe('while the IP address lookup fails', () => {
  test.use({ expectedErrors: /Failed to load resource/ })

  test('nobody is logged in, and a retry works', async ({ page, server }) => {
    const { id, password } = server.demo.member
    let logins = 0
    await page.route('**/api/login', (route) => {
      logins += 1
      return route.continue()
    })
    await page.route('**/api/ip', (route) => route.abort())
    await page.goto('/Login')
    await fill(page, id, password)
    const button = page.getByRole('main').getByRole('button', { name: 'Login' })
    await expect(page.getByRole('button', { name: 'Processing..' })).toBeDisabled()
    await expect(button).toBeEnabled({ timeout: 15_000 })
    await button.click()
    await expect(page.getByText('We couldn’t look up your IP address.')).toBeVisible()
    expect(logins).toBe(0)
    await page.unroute('**/api/ip')
    // The button is disabled until the look-up of the address has answered.
    await expect(async () => {
      if (logins === 0) await button.click({ timeout: 1_000 })
      expect(logins).toBe(1)
    }).toPass()
    await expect(page).toHaveURL(/\/dashboard$/)
  })
})

test('the IP address lookup times out after five seconds', async ({ page, server }) => {
  await page.route('**/api/ip', () => new Promise(() => undefined))
  await page.goto('/Login')
  await fill(page, server.demo.member.id, server.demo.member.password)
  await expect(page.getByRole('button', { name: 'Processing..' })).toBeDisabled()
  const button = page.getByRole('main').getByRole('button', { name: 'Login' })
  await button.click({ timeout: 8_000 })
  await expect(page.getByText('We couldn’t look up your IP address.')).toBeVisible()
})

test.describe('when the server ends the session', () => {
  test.use({ expectedErrors: /status of 401/ })

  test('the member is redirected to the login from any screen', async ({ memberPage: page }) => {
    await page.goto('/dashboard')
    await expect(page.getByText('Daily Registration')).toBeVisible()
    await page.route('**/api/DirectReport', (route) =>
      route.fulfill({
        status: 401,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          status: 401,
          code: 'session.required',
          showableMessage: 'Please login to access this resource',
          request_id: 'r-1',
        }),
      }),
    )
    await page.getByRole('button', { name: 'My Team' }).click()
    await page.getByRole('link', { name: 'My Referral', exact: true }).click()
    await expect(page).toHaveURL(/\/Login$/)
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    const ended = page.getByText('Your session has ended. Please login to access this resource')
    await expect(ended).toBeVisible()
    // The message appears once: the next visit shows the plain login.
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
    await expect(ended).toHaveCount(0)
  })

  test('a reload shows that the session has ended', async ({ memberPage: page }) => {
    await page.goto('/Support')
    await page.evaluate(() => {
      const kept = JSON.parse(sessionStorage.getItem('bifolia.session') ?? '{}')
      sessionStorage.setItem('bifolia.session', JSON.stringify({ ...kept, jwtToken: 'x.y.z' }))
    })
    await page.reload()
    await expect(page).toHaveURL(/\/Login$/)
    await expect(page.getByText('Your session has ended')).toBeVisible()
  })
})
