import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectWhole } from './checks.ts'
import { call, colleague, enter, expect, test } from './console.ts'
import { mailed } from './mail.ts'
import { openSession, register } from './people.ts'

/** Presses a button, enters the reason in the dialog, and confirms. */
async function act(page: Page, button: string, why: string, confirm = button) {
  await page.getByRole('button', { name: button, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Reason/).fill(why)
  await dialog.getByRole('button', { name: confirm, exact: true }).click()
  await expect(dialog).toHaveCount(0)
}

test('a member is flagged, signed out, exported, put on legal hold and erased', async ({
  ownerPage: page,
  server,
  owner,
  demo,
  browser,
}) => {
  test.setTimeout(180_000)
  const sponsor = demo.ordinary.id
  const leaving = await register(server.url, sponsor, 'Left', 'Leaving Person')
  const twin = await register(server.url, sponsor, 'Left', 'Leaving Twin')
  const { jwtToken } = await openSession(server.url, leaving)
  await page.goto(`/admin/member?uid=${leaving.id}`)

  await act(page, 'Add flag', 'the same mobile number twice')
  const flags = page.getByRole('region', { name: 'Flags' })
  await expect(flags).toContainText('the same mobile number twice')
  await expect(flags).toContainText(owner.email)
  await act(page, 'Remove flag: Watch', 'it is a family', 'Remove flag')
  await flags.getByText('Flag history').click()
  await expect(flags).toContainText('it is a family')

  const alike = page.getByRole('region', { name: 'Possible duplicates' }).first()
  await expect(alike.getByRole('row').filter({ hasText: twin.id })).toContainText('mobile number')

  await act(page, 'End all sessions', 'a stolen phone')
  await expect(page.getByText('The member is not signed in.')).toBeVisible()
  await expect(call(server.url, 'sessions', jwtToken)).rejects.toThrow('401')

  const saved = page.waitForEvent('download')
  await act(page, 'Export personal data', 'the person asked for it')
  const file = await saved
  expect(file.suggestedFilename()).toBe(`personal-data-${leaving.id}.zip`)
  expect((await readFile(await file.path())).subarray(0, 2).toString()).toBe('PK')

  const data = page.getByRole('region', { name: 'Personal data' })
  await act(page, 'Set legal hold', 'a court asked for it')
  await expect(data).toContainText('a court asked for it')
  await expect(data).toContainText('The account is not blocked')
  await expect(page.getByRole('button', { name: 'Propose erasure' })).toHaveCount(0)
  await expectWhole(page)
  // Who lifts the hold does not propose the erasure: nobody takes away alone what is in its way.
  const context = await browser.newContext({ baseURL: server.url })
  const checker = await context.newPage()
  await enter(checker, await colleague(server.url, owner, 'compliance'))
  await checker.goto(page.url())
  await act(checker, 'Lift legal hold', 'the court is done')
  await page.reload()
  await act(page, 'Block member', 'the account is closed')
  await act(page, 'Propose erasure', 'the person asked for it')
  await expect(data.getByRole('button', { name: 'Approve and erase' })).toHaveCount(0)
  await expect(data.getByRole('button', { name: 'Withdraw' })).toBeVisible()

  await checker.goto('/admin/members')
  await checker
    .getByRole('group', { name: /^Erasures/ })
    .getByRole('link', { name: leaving.id })
    .click()
  await checker.getByRole('button', { name: 'Approve and erase' }).click()
  const dialog = checker.getByRole('dialog')
  await expect(dialog).toContainText(leaving.email)
  await expect(dialog).toContainText(/[0-9a-f]{64}/)
  await dialog.getByRole('button', { name: 'Approve and erase' }).click()
  await expect(checker.getByRole('heading', { level: 1 })).toHaveText(/Erased member/)
  await expect(checker.getByText(leaving.email)).toHaveCount(0)
  await expect(checker.getByRole('button', { name: 'Unblock member' })).toHaveCount(0)
  await context.close()
  await expect(openSession(server.url, leaving)).rejects.toThrow('Could not sign in')
})

test('fund requests are decided in bulk, without withdrawals above the limit', async ({
  ownerPage: page,
  server,
  owner,
  demo,
}) => {
  const { id: uid, password } = demo.ordinary
  const { jwtToken } = await openSession(server.url, { id: uid, password })
  for (const amount of ['111', '222', '333', '334']) {
    const utrno = `HDFC${Date.now()}${amount}`
    await call(server.url, 'FundRequest', jwtToken, {
      uid,
      bankid: 1,
      amount,
      utrno,
      Fundtype: 'FUNDS',
    })
  }
  await page.goto(`/admin/funds?uid=${uid}`)
  await expect(page.getByRole('cell', { name: '$111.00' }).first()).toBeVisible()
  await expectWhole(page)
  for (const amount of ['$111.00', '$222.00']) {
    await page.getByRole('row').filter({ hasText: amount }).first().getByRole('checkbox').check()
  }
  await page.getByRole('button', { name: 'Approve 2 selected' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Approve 2 selected' }).click()
  await expect(dialog.getByText('Done.')).toHaveCount(2)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('cell', { name: '$222.00' })).toHaveCount(0)

  // One reason for all, with the same templates as for a single request.
  for (const amount of ['$333.00', '$334.00']) {
    await page.getByRole('row').filter({ hasText: amount }).first().getByRole('checkbox').check()
  }
  await page.getByRole('button', { name: 'Reject 2 selected' }).click()
  await dialog.getByLabel('Insert a template').selectOption({ index: 1 })
  await expect(dialog.getByRole('textbox')).toHaveValue(/We have not received a payment/)
  await dialog.getByRole('button', { name: 'Reject 2 selected' }).click()
  await expect(dialog.getByText('Done.')).toHaveCount(2)
  await expect(dialog.getByLabel('Insert a template')).toBeDisabled()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('cell', { name: '$333.00' })).toHaveCount(0)

  const { id, password: word, transactionPassword: pin } = demo.member
  const { jwtToken: token } = await openSession(server.url, { id, password: word })
  await call(server.url, 'UpdateProfile', token, {
    type: 'ecurrency',
    uid: id,
    accountaddress: '0x52908400098527886e0f7030069857d2e4169ee7',
    ctrans_password: pin,
  })
  const { data } = await call<{ data: { person: { email: string } } }>(
    server.url,
    `operator/member?uid=${id}`,
    owner.token,
  )
  const wanted = { uid: id, Request_amount: '25', withdrawlType: 'FundBalance', Wtype: 'USDT' }
  await call(server.url, 'Withdrawalupdate', token, { ...wanted, Email: data.person.email })
  const otp = await mailed(server.url, data.person.email, /OTP: (\d{6})/)
  await call(server.url, 'Withdrawal', token, { ...wanted, otp, withdrawlby: 'By User' })
  await page.goto(`/admin/withdrawals?uid=${id}`)
  await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: 'Approve 1 selected' }).click()
  await expect(dialog).toContainText(
    'Skipped: above the limit. Two operators must approve it separately.',
  )
  await expect(dialog.getByRole('button', { name: 'Approve 0 selected' })).toBeDisabled()
})

test('a result is proposed with its evidence, approved by another operator and reversed', async ({
  ownerPage: page,
  owner,
  server,
  context,
}) => {
  test.setTimeout(180_000) // two operators, three looks at every width
  const reference = 'statement of the broker, no. 7'
  await page.goto('/admin/trading')
  await page.getByRole('button', { name: 'Propose a result' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Amount/).fill('12.5')
  await dialog.getByLabel(/^Supporting document/).fill(reference)
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByLabel('File', { exact: true }).click()
  const body = Buffer.from('date,result\n2026-01-31,12.50\n')
  await (await chooser).setFiles({ name: 'broker.csv', mimeType: 'text/csv', buffer: body })
  await expect(dialog.getByText(/SHA-256 [0-9a-f]{64}/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Propose result' }).click()
  await expect(page.getByText('Proposed. Another operator must approve it.')).toBeVisible()
  const listed = (on: Page, list: string) =>
    on
      .getByRole('region', { name: list, exact: true })
      .getByRole('row')
      .filter({ hasText: reference })
  const waiting = 'Waiting for approval'
  const booked = 'Booked, waiting for the close'
  await expect(listed(page, waiting)).toContainText('$12.50')
  await expect(listed(page, waiting).getByRole('button', { name: 'Withdraw' })).toBeVisible()
  await expect(listed(page, booked)).toHaveCount(0)
  await expectWhole(page)

  const other = await context.newPage()
  await enter(other, await colleague(server.url, owner, 'finance'))
  await other.goto(`${server.url}/admin/close`)
  await expect(other.getByText('1 proposed booking for this day is waiting')).toBeVisible()
  await expectWhole(other)
  await other.getByRole('link', { name: 'Review them in Trading.' }).click()
  await listed(other, waiting).getByRole('button', { name: 'Approve' }).click()
  const choice = other.getByRole('dialog')
  await expect(choice).toContainText('"kind":"pnl","line":"FOREX","amount":"12.500000"')
  await choice.getByText('Signed content', { exact: false }).first().click()
  await expect(choice.getByText(/^[0-9a-f]{64}$/)).toBeVisible()
  await expectWhole(other)
  await choice.getByRole('button', { name: 'Approve' }).click()
  await expect(other.getByText('Approved and booked.')).toBeVisible()
  await expect(listed(other, booked)).toContainText('$12.50')
  await expect(listed(other, waiting)).toHaveCount(0)
  await expect(listed(other, 'Recent decisions')).toContainText('Approved')

  await page.reload()
  const row = listed(page, booked)
  const saved = page.waitForEvent('download')
  await row.getByRole('button', { name: /^[0-9a-f]{8}$/ }).click()
  const file = await saved
  expect(file.suggestedFilename()).toBe('broker.csv')
  expect(await readFile(await file.path())).toEqual(body)
  await row.getByRole('button', { name: 'Propose cancellation' }).click()
  await dialog.getByLabel(/^Reason/).fill('the wrong line')
  await dialog.getByRole('button', { name: 'Propose cancellation' }).click()
  await expect(page.getByText('Proposed. Another operator must approve it.')).toBeVisible()
  const undo = (on: Page, list: string) =>
    on
      .getByRole('region', { name: list, exact: true })
      .getByRole('row')
      .filter({ hasText: 'the wrong line' })
  await expect(undo(page, waiting)).toContainText('Cancellation: Result')
  await expect(undo(page, waiting).getByRole('button', { name: 'Withdraw' })).toBeVisible()
  await expect(row).toHaveCount(1)

  await other.reload()
  await undo(other, waiting).getByRole('button', { name: 'Approve' }).click()
  await expect(choice).toContainText('"kind":"cancel","line":"FOREX"')
  await expect(choice).toContainText('"cancels":"pnl","amount":"12.500000"')
  await choice.getByText('Signed content', { exact: false }).first().click()
  await expect(choice.getByText(/^[0-9a-f]{64}$/)).toBeVisible()
  await choice.getByRole('button', { name: 'Approve' }).click()
  await expect(other.getByText('Approved.')).toBeVisible()
  await expect(undo(other, 'Recent decisions')).toContainText('Approved')
  await expect(other.getByText('No bookings are waiting for a close')).toBeVisible()
  await other.close()
})
