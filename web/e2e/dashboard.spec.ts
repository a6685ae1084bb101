import { useSession as signIn } from './fixtures.ts'
import { expect, test } from './history.ts'
import { openSession, register } from './people.ts'

test('answers first, and every card, income and leg leads to its report', async ({
  memberPage: page,
}) => {
  await page.goto('/dashboard')
  const main = page.getByRole('main')
  await expect(main.getByRole('region', { name: 'Available to withdraw' })).toContainText('$')
  await expect(main.getByRole('region', { name: 'Earned' })).toContainText('This month')
  await expect(main.getByRole('region', { name: 'Invested' })).toContainText(/(Profit|Loss) so far/)
  await expect(main.getByRole('region', { name: 'To do' }).getByRole('link').first()).toBeVisible()
  await expect(main.getByRole('region', { name: 'In progress' })).toContainText('Fund')
  for (const [name, address] of [
    ['Withdraw', '/WithdrawalRequest'],
    ['My Team', '/MyTeam'],
    ['User Rank', '/Userrank'],
    ['Left leg', '/MyTeam?position=1'],
  ] as const) {
    await page.goto('/dashboard')
    const link = main.getByRole('link', { name, exact: true })
    await link.focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL((url) => url.pathname + url.search === address)
  }
})

test('shows income by day and kind under the names of the incomes, and both legs', async ({
  memberPage: page,
}) => {
  await page.goto('/dashboard')
  const income = page.getByRole('figure', { name: 'Income over time' })
  for (const kind of ['Level Income', 'Matching Income', 'Forex Roi Income', 'Royalty Income']) {
    await expect(income.getByRole('listitem').filter({ hasText: kind }).first()).toBeVisible()
  }
  await income.getByText('7 d', { exact: true }).click()
  await income.getByText('Show as a table').click()
  // Seven days: the last one is not closed, and has no amounts.
  await expect(income.getByRole('row')).toHaveCount(8)
  await expect(income.getByRole('row').last()).not.toContainText('$')
  await income.getByText('Cumulative').click()
  await expect(income.getByRole('row').last()).toContainText('$')
  const legs = page.getByRole('region', { name: 'Your two legs' })
  await expect(legs.getByRole('heading', { level: 3 })).toHaveText([
    'Members',
    'Business',
    'Carried volume',
  ])
  await expect(legs.getByText(/waits for the (left|right) leg|No volume is waiting/)).toBeVisible()
})

test('guides a new member instead of showing zeros', async ({ page, server }) => {
  const own = await register(server.url, server.demo.member.id, 'Left', 'Nova Newcomer')
  await signIn(page, await openSession(server.url, own))
  await page.goto('/dashboard')
  const start = page.getByRole('region', { name: 'Get started' })
  await expect(start).toContainText('of 6 done')
  await expect(start.getByRole('listitem')).toHaveCount(6)
  await expect(page.getByText('$0.00')).toHaveCount(0)
  await start.getByRole('link', { name: 'Show links' }).click()
  await expect(page.getByRole('textbox', { name: 'Left Referral Link' })).toBeVisible()
  await page.getByText('Show all figures').click()
  await expect(page.getByText('My Robot Investment', { exact: true })).toBeVisible()
  await expect(page.getByText(/^Sample/)).toHaveCount(0)
  await start.getByRole('link', { name: 'Add funds' }).click()
  await expect(page).toHaveURL(/FundRequestECurrency$/)
})

test('lists all notices, filtered by the address', async ({ memberPage: page }) => {
  await page.goto('/dashboard')
  await page.getByRole('button', { name: /^Notices/ }).click()
  await page.getByRole('link', { name: 'See all' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Notices')
  await page.getByRole('combobox', { name: 'Show' }).selectOption('Withdrawals')
  await expect(page).toHaveURL(/show=withdrawal$/)
  const items = page.getByRole('main').getByRole('listitem')
  await expect(items.first()).toContainText('withdrawal from')
  await items.first().getByRole('link').click()
  await expect(page).toHaveURL(/WithdrawLog$/)
})

test('the account menu leads to the settings', async ({ memberPage: page }) => {
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Statements' }).click()
  await expect(page).toHaveURL(/ProfileSetting#statement$/)
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Statement')
})

test.describe('when the charts cannot be loaded', () => {
  test.use({ expectedErrors: /Failed to load resource|dynamically imported/ })

  test('the figures are shown, and the charts load on retry', async ({ memberPage: page }) => {
    await page.route('**/assets/Charts-*', (route) => route.abort())
    await page.goto('/dashboard')
    await expect(page.getByText('The chart could not be loaded.')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard')
    await page.unroute('**/assets/Charts-*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('figure', { name: 'Income over time' })).toBeVisible()
  })
})
