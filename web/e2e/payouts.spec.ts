import { readFile } from 'node:fs/promises'
import { expectNoCutTables, expectWhole } from './checks.ts'
import { approved, colleague, enter, expect, officeTest } from './console.ts'
import { picture } from './picture.ts'

// The demo has few payable withdrawals, and other tests change members' addresses, which delays
// them: these tests have their own server.
const test = officeTest(['--withdraw-two-above=0'])

// An invalid list is refused, which browsers log.
test.use({ expectedErrors: /status of 400/ })

test('a batch is made, approved, exported, paid by hand and confirmed', async ({
  ownerPage: page,
  server,
  owner,
  browser,
}) => {
  await page.goto('/admin/payouts')
  // Without a hot wallet the page says that payment is by hand.
  await expect(page.getByRole('region', { name: 'Paying wallet' })).toContainText(
    'No blockchain is configured',
  )
  await expect(page.getByText(/No batches yet/)).toBeVisible()
  const ready = await approved(server.url, owner)
  await page.reload()
  await page.getByLabel(`Select withdrawal ${ready.id}`).check()
  await page.getByRole('button', { name: 'Create batch of 1' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Method').locator('option')).toHaveText(['Manual'])
  await dialog.getByRole('button', { name: 'Create batch' }).click()
  await expect(page.getByRole('heading', { name: 'Batch 1' })).toBeVisible()
  await expect(page.getByLabel(`Select withdrawal ${ready.id}`)).toHaveCount(0)

  // A reader sees the page without buttons.
  const context = await browser.newContext({ baseURL: server.url })
  const reader = await context.newPage()
  await enter(reader, await colleague(server.url, owner, 'readonly'))
  await reader.goto('/admin/payouts')
  await expect(reader.getByRole('heading', { name: 'Batch 1' })).toBeVisible()
  await expect(reader.getByRole('button', { name: /^(Approve|Make|Cancel)/ })).toHaveCount(0)
  await context.close()

  const batch = page.getByRole('region', { name: 'Batch 1', exact: true })
  await batch.getByRole('button', { name: 'Approve' }).click()
  // The approval shows the payouts and their digest.
  await expect(dialog).toContainText(`"withdrawal":${ready.id},`)
  await expect(dialog).toContainText(/[0-9a-f]{64}/)
  await expect(dialog).toContainText('Funded by manual credits')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect(batch).toContainText('Export the list, pay it')
  await batch.getByRole('button', { name: 'Export CSV' }).click()
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export CSV' }).click()
  const list = await readFile(await (await saved).path(), 'utf8')
  expect(list).toContain(`${ready.id},`)
  // A batch in payment can no longer be cancelled.
  await expect(batch.getByRole('button', { name: 'Cancel payout' })).toBeVisible()
  await expect(batch.getByRole('button', { name: 'Cancel batch' })).toHaveCount(0)

  const wrong = list.replace(/,\r\n$/, ',0x1\r\n')
  const file = (text: string) => ({
    name: 'paid.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  })
  const hash = `0x${Date.now().toString(16).padStart(64, '0')}`
  await batch.getByRole('button', { name: 'Import hashes' }).click()
  const chosen = dialog.getByLabel(/^CSV file with the hashes/)
  await chosen.setInputFiles(file(wrong))
  await dialog.getByRole('button', { name: 'Import hashes' }).click()
  await expect(dialog.getByRole('alert')).toContainText('line 2:')
  await chosen.setInputFiles(file(list.replace(/,\r\n$/, `,${hash}\r\n`)))
  await dialog.getByRole('button', { name: 'Import hashes' }).click()
  await expect(batch.getByText(hash)).toBeVisible()
  await batch.getByRole('button', { name: 'Confirm payment' }).click()
  await dialog.getByRole('button', { name: 'Confirm payment' }).click()
  await expect(batch).toContainText('All payouts are finished.')
})

test('the findings of a payout hold are shown, and dismissed by keyboard', async ({
  ownerPage: page,
}) => {
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const found = {
    ...{ n: 1, withdrawal: '100003', amount: '13.720000', own: false, dismissed: '', to: address },
    ...{ from: address, hash: `0x${'ab'.repeat(32)}`, block: 41_234_561 },
  }
  // Only a restored server holds payouts: the server's tests cover that.
  const hold = {
    ...{ held: true, id: 1, state: 'settled', cause: 'restore', detail: 'It was restored.' },
    ...{ at: '2026-11-19T02:00:00Z', since: '2026-11-18T21:04:00Z', until: 7, final: 7, latest: 7 },
    ...{ pending: 7, known: 5, unknown: false, digest: '', payload: '', alone: '', begunBy: '' },
    ...{ firstBy: 'Finance', reason: '', liftedAt: '', liftedBy: '', waiting: [] },
  }
  await page.route('**/api/operator/payouts/hold', (route) =>
    route.fulfill({ json: { data: { ...hold, found: [found] } } }),
  )
  await page.route('**/api/operator/payouts/hold/dismiss', (route) => {
    found.dismissed = 'The Owner'
    return route.fulfill({ json: { data: 'success' } })
  })
  await page.goto('/admin/payouts')
  const held = page.getByRole('region', { name: 'Payouts are on hold' })
  await expect(held).toContainText('41234561')
  await expectNoCutTables(page)
  await expectWhole(page)
  await picture(page, 'hold')
  await held.getByRole('button', { name: 'Dismiss transfer' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByLabel('Reason').fill('It paid an invoice.')
  await page.keyboard.press('Enter')
  await expect(held).toContainText('Dismissed by The Owner')
})
