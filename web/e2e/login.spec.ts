import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const fill = async (page: Page, userId: string, password: string) => {
  await page.getByLabel('User ID').fill(userId)
  await page.getByLabel('Password', { exact: true }).fill(password)
}
const submit = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Login' }).click()

test.describe('from the login to the log-out', () => {
  // Calls of the dashboard that are still under way when the session ends are refused.
  test.use({ expectedErrors: /status of 401/ })

  test('a member logs in, is told so, and is on the dashboard a second later', async ({
    page,
    server,
  }) => {
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
    // Who left is forgotten; how the pages are to look is not.
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  })
})

test('both fields are asked for, in words and at the field', async ({ page }) => {
  await page.goto('/Login')
  await submit(page)
  await expect(page.getByText('Please enter both User ID and password.')).toHaveCount(2)
  await expect(page.getByLabel('User ID')).toBeFocused()
})

test('a wrong password is refused in the words everybody knows, and nothing is lost', async ({
  page,
  server,
}) => {
  await page.goto('/Login')
  await fill(page, server.demo.member.id, 'not this one')
  await submit(page)
  await expect(page.getByText('Invalid username or password.')).toBeVisible()
  await expect(page.getByLabel('User ID')).toHaveValue(server.demo.member.id)
  await expect(page).toHaveURL(/\/Login$/)
})

test('the user id takes ten digits, the password can be seen', async ({ page }) => {
  await page.goto('/Login')
  await page.getByLabel('User ID').pressSequentially('12ab34567890123')
  await expect(page.getByLabel('User ID')).toHaveValue('1234567890')
  const password = page.getByLabel('Password', { exact: true })
  await expect(password).toHaveAttribute('maxlength', '30')
  await password.fill('secret')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
})

test.describe('while the address cannot be looked up', () => {
  test.use({ expectedErrors: /Failed to load resource/ })

  test('nobody is logged in; once it can, the same form works', async ({ page, server }) => {
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
    // The address is looked up again first: until it is there, the button says so.
    await expect(async () => {
      if (logins === 0) await button.click({ timeout: 1_000 })
      expect(logins).toBe(1)
    }).toPass()
    await expect(page).toHaveURL(/\/dashboard$/)
  })
})

test('an address that nobody answers is given up after five seconds, and that is said', async ({
  page,
  server,
}) => {
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

  test('the member is sent to the login from wherever', async ({ memberPage: page }) => {
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
    await page.getByRole('link', { name: 'My Referral' }).click()
    await expect(page).toHaveURL(/\/Login$/)
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    const ended = page.getByText('Your session has ended. Please login to access this resource')
    await expect(ended).toBeVisible()
    // Said once: who opens the login again just opens the login.
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
    await expect(ended).toHaveCount(0)
  })

  test('who finds that out by a reload is told so', async ({ memberPage: page }) => {
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
