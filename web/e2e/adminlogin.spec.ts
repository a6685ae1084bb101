import { expect, test } from './fixtures.ts'
import { mintTicket, signInOperator } from './operator.ts'

const REASON = 'Member asked why a row is missing'

test.describe('an operator’s ticket', () => {
  // A code of the authenticator is valid once, so one session creates all tickets.
  test.describe.configure({ mode: 'serial' })
  let token = ''

  test('opens the member’s account once, under a banner with the reason', async ({
    page,
    server,
  }) => {
    token = await signInOperator(server.url, server.demo.operator)
    const { id } = server.demo.ordinary
    const { link } = await mintTicket(server.url, token, id, REASON)
    await page.goto(link)
    await expect(page.getByText('Login Successful', { exact: true })).toBeVisible()
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(page.getByRole('status').filter({ hasText: REASON })).toBeVisible()
    await expect(page.getByText(`User Id: ${id}`)).toBeVisible()
    await page.goto(link)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link doesn’t work')
  })

  test('may have a plus sign that became a space', async ({ page, server }) => {
    const { id } = server.demo.ordinary
    const { enpass } = await mintTicket(server.url, token, id, REASON)
    const sent = page.waitForRequest('**/api/loginAdmin')
    await page.goto(`/AdminLogin?user_id=${id}&enpass=${enpass}+x y`)
    expect((await sent).postDataJSON()).toMatchObject({ uid: id, password: `${enpass}+x+y` })
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link doesn’t work')
  })
})

test.describe('while the IP address lookup fails', () => {
  test.use({ expectedErrors: /Failed to load resource/ })

  test('no ticket is used', async ({ page, server }) => {
    let posted = 0
    await page.route('**/api/loginAdmin', (route) => {
      posted += 1
      return route.continue()
    })
    await page.route('**/api/ip', (route) => route.abort())
    await page.goto(`/AdminLogin?user_id=${server.demo.ordinary.id}&enpass=x`)
    await expect(page.getByText('Error in getting IP', { exact: true })).toBeVisible()
    expect(posted).toBe(0)
  })
})
