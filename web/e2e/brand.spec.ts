import { call, colleague, enter, expect, test } from './console.ts'
import { useSession } from './fixtures.ts'

const RISK = 'You can lose <b>all</b> of it. Nobody makes it good.'

interface Change {
  data: { proposal: { id: string }; digest: string }
}

test('a new risk text and counter are proposed, approved by another operator, and public', async ({
  ownerPage: page,
  server,
  owner,
  browser,
}) => {
  await page.goto('/admin/brand')
  const editor = page.getByRole('region', { name: 'Public pages' })
  const text = editor.getByLabel('Text', { exact: true })
  const propose = editor.getByRole('button', { name: 'Propose' })
  await expect(propose).toBeDisabled()
  // Every mistake is shown at its path while typing.
  await text.fill('')
  await expect(editor.getByText('is empty').first()).toBeVisible()
  await expect(propose).toBeDisabled()
  await text.fill(RISK)
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText(RISK)
  await editor.getByLabel('Section').selectOption('Counters')
  // The first counter is live: a fixed value is shown for the third.
  await editor.getByLabel('Fixed value').nth(2).fill('$4,321')
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText('$4,321')
  await expect(editor.getByRole('region', { name: 'Changes' })).toContainText('site.risk.text')
  await propose.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Reason/).fill('the old text was too mild')
  await dialog.getByRole('button', { name: 'Propose' }).click()
  await expect(page.getByText('Proposed. Another operator must approve it.')).toBeVisible()
  await expect(text).toHaveCount(1)
  await expect(text).toBeDisabled()

  const context = await browser.newContext({ baseURL: server.url })
  const second = await context.newPage()
  await enter(second, await colleague(server.url, owner, 'compliance'))
  await second.goto('/admin')
  await second.getByRole('link', { name: /^1\s*Brand changes to approve/ }).click()
  const waiting = second.getByRole('region', {
    name: 'Change to the public pages waiting for approval',
  })
  await expect(waiting).toContainText('the old text was too mild')
  await expect(waiting).toContainText(/[0-9a-f]{64}/)
  await expect(waiting.getByRole('region', { name: 'Changes' })).toContainText('$4,321')
  await waiting.getByRole('button', { name: 'Approve' }).click()
  await second.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(second.getByText('Approved.', { exact: true })).toBeVisible()
  await expect(waiting).toHaveCount(0)

  await second.goto('/')
  await expect(second.getByText(RISK).first()).toBeVisible()
  await expect(second.getByText('$4,321')).toBeVisible()
  await context.close()
})

test('a new USDT address waits, is announced and is cancelled', async ({
  ownerPage: page,
  server,
  owner,
  memberSession,
}) => {
  const usdt = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const finance = await colleague(server.url, owner, 'finance')
  await page.goto('/admin/settings')
  const editor = page.getByRole('region', { name: 'USDT address', exact: true })
  await editor.getByLabel('USDT (BEP-20) address').fill(usdt.replace('aAe', 'AAe'))
  await expect(editor.getByText(/right capital letters/).first()).toBeVisible()
  const body = { section: 'usdt', body: { usdt }, reason: 'the old wallet is closed' }
  const path = 'operator/settings/propose'
  const { data } = await call<Change>(server.url, path, finance.token, body)
  await page.reload()
  const waiting = page.getByRole('region', { name: 'New USDT address waiting for approval' })
  await expect(waiting).toContainText(data.digest)
  await waiting.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  const notice = page.getByRole('alert').filter({ hasText: usdt })
  await expect(notice).toContainText('New USDT address from')

  await useSession(page, memberSession)
  await page.goto('/FundRequestECurrency')
  await expect(page.getByRole('alert')).toContainText('Our address changes on')
  await expect(page.getByRole('alert')).toContainText(usdt)
  await expect(page.getByRole('textbox', { name: 'BEP-20 address' })).not.toHaveValue(usdt)

  await page.goto('/admin/settings')
  await notice.getByRole('button', { name: 'Cancel change' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Reason/).fill('nobody knows this address')
  await dialog.getByRole('button', { name: 'Cancel change' }).click()
  await expect(notice).toHaveCount(0)
  await expect(
    page.getByRole('region', { name: 'Changes to the USDT address' }).first(),
  ).toContainText('Cancelled')
})
