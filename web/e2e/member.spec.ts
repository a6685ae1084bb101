import { expectHindiStays } from './checks.ts'
import { expect, useSession as signIn, test } from './fixtures.ts'
import { openSession, register } from './people.ts'

test('addresses of member screens ignore case', async ({ memberPage: page }) => {
  await page.goto('/DashBoard')
  await expect(page).toHaveTitle('Dashboard · Bifolia')
})

test.describe('the dashboard', () => {
  test('shows the cards, tables, links and incomes', async ({ memberPage: page, server }) => {
    await page.goto('/dashboard')
    const main = page.getByRole('main')
    for (const text of ['My Robot Investment', 'My Crypto Fund', 'Live Rate', 'My Referrals']) {
      await expect(main.getByText(text, { exact: true })).toBeVisible()
    }
    await expect(main.getByRole('region', { name: 'Incomes' }).getByRole('term')).toHaveText([
      'Level Income',
      'Forex Roi Income',
      'Forex Roi Level Income',
      'Crypto Roi Income',
      'Crypto Roi Level Income',
      'Matching Income',
      'Salary Income',
      'Royalty Income',
      'User Rank',
      'user Reward',
    ])
    await expect(main.getByText('Sample: -0.56%')).toBeVisible()
    await expect(main.getByText(/[+-]\d+\.\d+%/)).toHaveCount(3)
    const { id } = server.demo.member
    await expect(main.getByRole('textbox', { name: 'Right Referral Link' })).toHaveValue(
      `${server.url}/Signup?userid=${id}&Position1=Right`,
    )
  })

  test('copies a link and shows its QR code', async ({ memberPage: page, context, server }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Copy: Left Referral Link' }).click()
    await expect(page.getByText('Copied Left Invitation Link')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
      `/Signup?userid=${server.demo.member.id}&Position1=Left`,
    )
    await page.getByRole('button', { name: 'Show QR code' }).first().click()
    await expect(page.getByRole('img', { name: 'Left Referral Link' })).toBeVisible()
  })
})

test.describe('a list', () => {
  test('has its columns, filters by the server, and keeps filters and order in the address', async ({
    memberPage: page,
    server,
  }) => {
    const sponsor = server.demo.member.id
    const left = await register(server.url, sponsor, 'Left', 'Lefty Leaf')
    const right = await register(server.url, sponsor, 'Right', 'Righty Leaf')
    await page.goto('/MyReferral')
    await expect(page.getByRole('columnheader')).toHaveText([
      'S.No',
      'User Id',
      'User Name',
      'Contact No.',
      'Status',
      'Registration Date',
      'Activation Date',
      'Robot Investment',
      'Forex Investment',
      'Crypto Investment',
      'Position',
    ])
    await expect(page.getByRole('cell', { name: left.id })).toBeVisible()
    await page.getByLabel('Position').selectOption('Right')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(page).toHaveURL(/\?position=2$/)
    await expect(page.getByRole('cell', { name: left.id })).toHaveCount(0)
    await expect(page.getByRole('cell', { name: right.id })).toBeVisible()

    await page.getByRole('button', { name: 'User Id' }).click()
    await expect(page).toHaveURL(/sort=uid/)
    await expect(page.getByRole('columnheader', { name: 'User Id' })).toHaveAttribute(
      'aria-sort',
      'ascending',
    )
    await page.reload()
    await expect(page.getByLabel('Position')).toHaveValue('2')
    await expect(page.getByRole('cell', { name: right.id })).toBeVisible()
    await page.goBack()
    await page.goBack()
    await expect(page.getByLabel('Position')).toHaveValue('0')
    await expect(page.getByRole('cell', { name: left.id })).toBeVisible()
  })

  test('explains why it is empty, and when its filters match nothing', async ({ page, server }) => {
    const own = await register(server.url, server.demo.member.id, 'Left', 'Nova Leaf')
    await signIn(page, await openSession(server.url, own))
    await page.goto('/MyReferral?fdate=2001-01-01&tdate=2001-01-02')
    await expect(page.getByText('No matches for these filters.')).toBeVisible()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(page.getByText('People you invite appear here.')).toBeVisible()
  })

  test.describe('that cannot be loaded', () => {
    test.use({ expectedErrors: /Failed to load resource/ })

    test('offers a retry, which works', async ({ memberPage: page }) => {
      await page.route('**/api/DirectReport', (route) => route.abort())
      await page.goto('/MyReferral')
      await expect(page.getByText('The list could not be loaded.')).toBeVisible({ timeout: 15_000 })
      await page.unroute('**/api/DirectReport')
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByText('The list could not be loaded.')).toHaveCount(0)
    })
  })
})

test.describe('the member menu', () => {
  test('is open above 991 px and closed at it, and the button toggles it', async ({
    memberPage: page,
    server,
  }) => {
    const menu = page.getByRole('navigation', { name: 'Member menu' })
    await page.setViewportSize({ width: 992, height: 800 })
    await page.goto('/dashboard')
    await expect(menu).toBeVisible()
    await expect(menu.getByText(`User Id: ${server.demo.member.id}`)).toBeVisible()
    await page.getByRole('button', { name: 'Close menu' }).first().click()
    await expect(menu).toBeHidden()

    await page.setViewportSize({ width: 991, height: 800 })
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(menu).toBeHidden()
    await page.getByRole('button', { name: 'Open menu' }).click()
    // The menu's button is not below the menu.
    await page.getByRole('banner').getByRole('button', { name: 'Close menu' }).click()
    await expect(menu).toBeHidden()
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect(menu).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused()
  })

  test('opens one section at a time, and marks the page', async ({ memberPage: page }) => {
    await page.setViewportSize({ width: 1440, height: 1200 })
    await page.goto('/MyReferral')
    const menu = page.getByRole('navigation', { name: 'Member menu' })
    await expect(menu.locator('[aria-current="page"]')).toHaveText('My Referral')
    await menu.getByRole('button', { name: 'Incomes' }).click()
    await expect(menu.locator('[aria-expanded="true"]')).toHaveText('Incomes')
    await expect(menu.getByRole('link', { name: 'Matching Income' })).toBeVisible()
    await menu.getByRole('button', { name: 'Incomes' }).press('Enter')
    await expect(menu.locator('[aria-expanded="true"]')).toHaveCount(0)
  })
})

test('the chosen language is remembered', async ({ memberPage: page }) => {
  await page.goto('/dashboard')
  await expectHindiStays(page, 'My Robot Investment', 'मेरा रोबोट निवेश')
  await page.goto('/MyReferral')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('मेरे रेफ़रल')
})

// How the page stands at the end is looked at by axe.
test('the account menu names the member', async ({ memberPage: page, server }) => {
  await page.goto('/dashboard')
  const button = page.getByRole('button', { name: 'Account' })
  const menu = page.getByRole('menu')
  await button.press('Enter')
  await expect(menu).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(button).toBeFocused()
  await button.click()
  await expect(menu).toContainText(server.demo.member.id)
  await expect(menu.getByRole('menuitem', { name: 'Log Out' })).toBeVisible()
})
