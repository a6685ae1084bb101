import { expectNoSidewaysScroll } from './checks.ts'
import { expect, expectRefused, test } from './money.ts'

test('a query is required, sent and listed as open', async ({ ownPage: page }) => {
  await page.goto('/Support')
  await expect(page.getByText('Your queries and our answers appear here.')).toBeVisible()
  await expectRefused(page, 'Submit', 'Query is required')
  await page.getByLabel('Your Query').fill('Where is <b>my</b> money? 🌱 أين')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Query has been sent successfully !!')).toBeVisible()
  await expect(page.getByRole('columnheader')).toHaveText([
    'S.No',
    'Ticket Id',
    'Query',
    'Admin Reply',
    'Request Date',
    'Status',
    'Reply Date',
    'Conversation',
  ])
  const row = page.getByRole('row').filter({ hasText: 'Where is <b>my</b> money? 🌱 أين' })
  await expect(row).toContainText('open')
  await expect(page.getByLabel('Your Query')).toHaveValue('')
  // On a phone its rows are stacked and do not scroll sideways.
  await page.setViewportSize({ width: 360, height: 800 })
  await expectNoSidewaysScroll(page)
  const list = page.getByRole('region', { name: 'Your tickets' })
  const beyond = () => list.last().evaluate((box) => box.scrollWidth - box.clientWidth)
  await expect.poll(beyond).toBe(0)
  for (const cell of await row.getByRole('cell').all()) {
    await cell.scrollIntoViewIfNeeded()
    await expect(cell).toBeInViewport()
  }
})

test.describe('without a network', () => {
  test.use({ expectedErrors: /Failed to load resource/ })

  test('a query is kept, and sent when the network returns', async ({ ownPage: page }) => {
    await page.goto('/Support')
    await page.getByLabel('Your Query').fill('Still there?')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByText(/The server did not respond/)).toBeVisible()
    await expect(page.getByLabel('Your Query')).toHaveValue('Still there?')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByText('Query has been sent successfully !!')).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: 'Still there?' })).toHaveCount(1)
  })
})

test('a double click sends one query', async ({ ownPage: page }) => {
  await page.goto('/Support')
  await page.getByLabel('Your Query').fill('Only once')
  await page.getByRole('button', { name: 'Submit' }).dblclick()
  await expect(page.getByText('Query has been sent successfully !!')).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'Only once' })).toHaveCount(1)
})
