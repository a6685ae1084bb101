import { expect, test } from './history.ts'

test('shows income over time by kind, and both legs', async ({ memberPage: page }) => {
  await page.goto('/dashboard')
  const income = page.getByRole('region', { name: 'Income over time' })
  await expect(income.getByRole('img', { name: /^Income by type: \$/ })).toBeVisible()
  for (const kind of ['Level income', 'Matching income', 'Daily return', 'Royalty']) {
    await expect(income.getByRole('listitem').filter({ hasText: kind }).first()).toContainText('$')
  }
  const legs = page.getByRole('region', { name: 'Your two legs' })
  await expect(legs.getByRole('heading', { level: 3 })).toHaveText(['Business', 'Carried volume'])
  await expect(legs.getByText(/^\$/)).toHaveCount(4)
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
    await expect(page.getByRole('region', { name: 'Income over time' })).toBeVisible()
  })
})
