import { expectWhole } from './checks.ts'
import { call, colleague, enter, expect, test } from './console.ts'
import { openSession, register } from './people.ts'

const REASON = 'The bank took its fee twice'

test('a balance is corrected by two operators, and the member sees the reason', async ({
  ownerPage: page,
  server,
  owner,
  demo,
  browser,
}) => {
  test.setTimeout(180_000)
  const wronged = await register(server.url, demo.ordinary.id, 'Left', 'Wronged Person')
  const maker = await colleague(server.url, owner, 'finance')
  const context = await browser.newContext({ baseURL: server.url })
  const desk = await context.newPage()
  await enter(desk, maker)
  await desk.goto(`/admin/member?uid=${wronged.id}`)

  // Incomes cannot be credited by hand: the dialog does not offer it.
  await desk.getByRole('button', { name: 'Propose correction' }).click()
  const dialog = desk.getByRole('dialog')
  await dialog.getByLabel('Wallet', { exact: false }).selectOption('Level Income')
  await expect(dialog.getByLabel('Correction')).not.toContainText('Credit')
  await dialog.getByLabel('Correction').selectOption('Move to another income wallet')
  await expect(dialog.getByLabel('Move to')).toBeVisible()
  await dialog.getByLabel('Wallet', { exact: false }).selectOption('Robot Fund')
  await expect(dialog.getByLabel('Move to')).toHaveCount(0)
  await dialog.getByLabel('Amount ($)').fill('12.5')
  await expect(dialog.getByText('Available afterwards').locator('..')).toContainText('$12.50')
  await dialog.getByLabel('Correction').selectOption('Debit')
  await expect(dialog.getByText('Not enough is available.')).toBeVisible()
  await dialog.getByLabel('Correction').selectOption('Credit')
  await dialog.getByLabel(/^Reason/).fill(REASON)
  await expectWhole(desk)
  await dialog.getByRole('button', { name: 'Propose correction' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(desk.getByRole('button', { name: 'Withdraw correction', exact: true })).toBeVisible()

  // The home page and the header notify the other operator, who sees the exact proposal.
  await page.goto('/admin')
  await expect(page.getByRole('link', { name: /Corrections to approve/ })).toContainText('1')
  await expect(page.getByRole('banner').getByRole('link', { name: /items? to do$/ })).toBeVisible()
  await page.getByRole('link', { name: /Corrections to approve/ }).click()
  const row = page.getByRole('row').filter({ hasText: wronged.id })
  await expect(row).toContainText(REASON)
  await row.getByRole('button', { name: 'Approve' }).click()
  const seen = page.getByRole('dialog')
  await expect(seen).toContainText(`"uid":${wronged.id}`)
  await expect(seen).toContainText(/[0-9a-f]{64}/)
  await expect(seen).toContainText('Company’s own money')
  await expectWhole(page)
  await seen.getByRole('button', { name: 'Approve' }).click()
  await expect(seen).toHaveCount(0)
  await expect(page.getByRole('row').filter({ hasText: wronged.id })).toContainText('Approved')

  // A wrong entry opens its correction with the fields filled in.
  await desk.reload()
  await desk.getByRole('button', { name: 'Robot Fund' }).click()
  await desk.getByRole('button', { name: 'Correct the entry of $12.50' }).click()
  await expect(dialog.getByLabel('Correction')).toHaveValue('debit')
  await expect(dialog.getByLabel('Amount ($)')).toHaveValue(/^12\.50*$/)
  await expect(dialog.getByLabel(/^Incorrect transfer/)).toHaveValue(/^correction\//)
  await context.close()

  const { jwtToken } = await openSession(server.url, wronged)
  const history = await call<{ data: [{ act: string; reason: string }[]] }>(
    server.url,
    `audit?uid=${wronged.id}`,
    jwtToken,
  )
  expect(history.data[0]).toContainEqual(
    expect.objectContaining({ act: 'correction', reason: REASON }),
  )
})
