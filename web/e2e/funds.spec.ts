import type { Locator, Page } from '@playwright/test'
import hindi from '../../messages/hi/errors.json' with { type: 'json' }
import texts from '../../messages/hi/member/funds.json' with { type: 'json' }
import forms from '../../messages/hi/site/forms.json' with { type: 'json' }
import {
  approveFunds,
  confirmBy,
  expect,
  expectRefused,
  fundsOf,
  giveFunds,
  newHash,
  newMember,
  test,
} from './money.ts'

test.describe('a fund request by USDT', () => {
  test('is validated, sent, listed and credited after approval', async ({
    ownPage: page,
    member,
    operator,
    server,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/FundRequestECurrency')
    const address = page.getByRole('textbox', { name: 'BEP-20 address' })
    await expect(address).toHaveValue(/^0x[0-9a-fA-F]{40}$/)
    await expect(address).toHaveAttribute('readonly')
    await expect(page.getByRole('img', { name: 'BEP-20 address as a QR code' })).toBeVisible()
    await page.getByRole('button', { name: 'Copy: BEP-20 address' }).click()
    await expect(page.getByText('Address copied')).toBeVisible()

    await expectRefused(page, 'Submit', 'Amount is required')
    await page.getByLabel('Amount ($)').pressSequentially('12a345678901234')
    await expect(page.getByLabel('Amount ($)')).toHaveValue('1234567890')
    await page.getByLabel('Amount ($)').fill('300')
    await expectRefused(page, 'Submit', 'Transaction No. is required')
    await page.getByLabel('TRX number').fill('not a hash')
    await expectRefused(page, 'Submit', 'Select Fund Type for request')
    await page.getByLabel('Fund Type').selectOption('Robot Fund')
    await page.getByRole('button', { name: 'Submit' }).click()
    const number = page.getByLabel('TRX number')
    await expect(number).toHaveAccessibleDescription(/This is not a transaction hash/)
    await expect(number).toBeFocused()
    await expect(page.getByLabel('Amount ($)')).toHaveValue('300')

    const hash = newHash()
    await page.getByLabel('TRX number').fill(hash)
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByText('Successfully Requested...!!!')).toBeVisible()
    const row = page.getByRole('row').filter({ hasText: hash })
    await expect(row).toContainText('Pending')
    await expect(page.getByLabel('Amount ($)')).toHaveValue('')

    await approveFunds(server, operator, member.id)
    await page.reload()
    await expect(row).toContainText('Approved')
    expect(await fundsOf(server, member)).toBe('300.000000')
  })
})

test("a fund request by bank shows the bank and the server's errors", async ({ ownPage: page }) => {
  await page.goto('/FundrequestBank')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByLabel('Amount ($)')).toHaveAccessibleDescription('Amount is required')
  await expect(page.getByLabel('Amount ($)')).toBeFocused()
  await page.getByLabel('Bank', { exact: true }).selectOption({ index: 1 })
  const details = page.getByRole('region', { name: 'Bank details' })
  await expect(details.getByText('IFSC code')).toBeVisible()
  await page.getByLabel('Amount ($)').fill('250')
  const utr = `UTR${Date.now()}`
  await page.getByLabel('UTR number').fill(utr)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Fund Requested Successfully.')).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: utr })).toContainText('Pending')
})

/** The button behind the dialog has the same name: wait for the dialog first. */
const openDialog = async (page: Page) => {
  await page.getByRole('button', { name: 'Fund Transfer', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Fund Transfer' })
  await expect(dialog.getByRole('button', { name: 'Fund Transfer', exact: true })).toBeVisible()
  return dialog
}

const openTransfer = async (page: Page) => {
  await page.goto('/FundTransfer')
  return openDialog(page)
}

test.describe('a transfer', () => {
  test('is refused in Hindi', async ({ ownPage: page, member, operator, server }) => {
    const receiver = await newMember(server, 'Rina Receiver')
    await giveFunds(server, operator, member, '100')
    await page.context().addCookies([{ name: 'bifolia.language', value: 'hi', url: server.url }])
    await page.goto('/FundTransfer')
    const { funds: t } = texts
    await page.getByRole('button', { name: t.transfer, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: t.transfer })
    await dialog.getByLabel(t.toUserId).fill(receiver.id)
    await expect(dialog.getByText('Rina Receiver')).toBeVisible()
    await dialog.getByLabel(t.walletType).selectOption({ index: 1 })
    await dialog.getByLabel(t.amountDollars).fill('40')
    await dialog.getByLabel(t.transactionPassword, { exact: true }).fill('wrong')
    await dialog.getByRole('button', { name: t.transfer, exact: true }).click()
    await page
      .getByRole('dialog', { name: forms.moneyForm.confirmTitle })
      .getByRole('button', { name: forms.moneyForm.confirm.replace('{amount}', '$40.00') })
      .click()
    await expect(page.getByText(hindi['auth.wrong_transaction_password'])).toHaveCount(2)
  })

  test('shows the receiver and the amount, and moves the money', async ({
    ownPage: page,
    member,
    operator,
    server,
  }) => {
    const receiver = await newMember(server, 'Rina Receiver')
    await giveFunds(server, operator, member, '100')
    const dialog = await openTransfer(page)
    await expectRefused(page, 'Fund Transfer', 'All the fields are required !!')

    const to = dialog.getByLabel('To UserId')
    await to.pressSequentially('1a23')
    await expect(dialog.getByText('Sponsor Id doesnot exists !!')).toBeVisible()
    await to.fill(`${receiver.id}99`)
    await expect(to).toHaveValue(receiver.id)
    await expect(dialog.getByText('Rina Receiver')).toBeVisible()
    await dialog.getByLabel('Wallet Type').selectOption('Robot Fund')
    await dialog.getByLabel('Amount ($)').fill('101')
    await expectRefused(page, 'Fund Transfer', 'Transction Password is required')
    await dialog.getByLabel('Transaction Password', { exact: true }).fill('wrong')
    await dialog.getByRole('button', { name: 'Fund Transfer', exact: true }).click()
    await expect(dialog.getByLabel('Amount ($)')).toHaveAccessibleDescription(
      'You have $100.00 and need $101.00.',
    )
    await expect(page.getByRole('dialog', { name: 'Please confirm' })).toHaveCount(0)
    await dialog.getByLabel('Wallet Type').selectOption('')
    const amount = dialog.getByLabel('Amount ($)')
    await amount.fill('12345678')
    await expect(amount).toHaveValue('123456')
    await amount.fill('')
    await expect(dialog.getByText('Invalid Amount')).toBeVisible()
    await amount.pressSequentially('40.50')
    await expect(page.getByText(/We left out everything after the point or comma/)).toBeVisible()
    await expect(dialog.getByText('0 % charge, receiver will receive 40 $')).toBeVisible()
    await expectRefused(page, 'Fund Transfer', 'All the fields are required !!')
    await dialog.getByLabel('Wallet Type').selectOption('Robot Fund')
    await expect(dialog.getByText('$60.00')).toBeVisible()

    await confirmBy(page, 'Fund Transfer')
    await expect(page.getByText('Invalid transaction password.')).toHaveCount(2)
    await expect(dialog.getByLabel('Transaction Password', { exact: true })).toBeFocused()
    await expect(amount).toHaveValue('40')
    await dialog
      .getByLabel('Transaction Password', { exact: true })
      .fill(member.transactionPassword)
    await confirmBy(page, 'Fund Transfer')
    await expect(page.getByText('Fund Transfered Successfully')).toBeVisible()
    await expect(dialog.getByRole('region', { name: 'Receipt' })).toContainText('$40.00')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(dialog).toBeHidden()
    const row = page.getByRole('row').filter({ hasText: receiver.id })
    await expect(row).toContainText('ROBOTFUND')
    await expect(row).toContainText('$40.00')
    expect(await fundsOf(server, member)).toBe('60.000000')
    expect(await fundsOf(server, receiver)).toBe('40.000000')
  })

  test('by keyboard, focus starts at the first field and the confirm button', async ({
    ownPage: page,
    member,
    operator,
    server,
  }) => {
    const receiver = await newMember(server, 'Kiran Keys')
    await giveFunds(server, operator, member, '100')
    await page.goto('/FundTransfer')
    await page.getByRole('main').getByRole('button', { name: 'Fund Transfer' }).focus()
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'Fund Transfer' })
    await expect(form.getByLabel('To UserId')).toBeFocused()
    await page.keyboard.type(receiver.id)
    await expect(form.getByText('Kiran Keys')).toBeVisible()
    await form.getByLabel('Wallet Type').selectOption('Robot Fund')
    await form.getByLabel('Amount ($)').fill('40')
    await form.getByLabel('Transaction Password', { exact: true }).fill('wrong')
    const send = form.getByRole('button', { name: 'Fund Transfer', exact: true })
    await send.focus()

    const asked = page.getByRole('dialog', { name: 'Please confirm' })
    const answer = asked.getByRole('button', { name: /^Confirm \$/ })
    await page.keyboard.press('Enter')
    await expect(answer).toBeFocused()
    // The Tab key stays inside the dialog.
    for (const name of ['Close', 'Cancel', 'Confirm $40.00']) {
      await page.keyboard.press('Tab')
      await expect(asked.getByRole('button', { name, exact: true })).toBeFocused()
    }
    await page.keyboard.press('Shift+Tab')
    await expect(asked.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(asked).toBeHidden()
    await expect(form).toBeVisible()
    await expect(send).toBeFocused()
    expect(await fundsOf(server, member)).toBe('100.000000')

    // After a refusal the focus is on the field, and in the next dialog on its answer.
    const pin = form.getByLabel('Transaction Password', { exact: true })
    for (const password of ['wrong', member.transactionPassword]) {
      await pin.fill(password)
      await pin.press('Enter')
      await expect(answer).toBeFocused()
      await page.keyboard.press('Enter')
      if (password === 'wrong') await expect(pin).toBeFocused()
    }
    await form.getByRole('button', { name: 'Done' }).click()
    await expect(form).toBeHidden()
    expect(await fundsOf(server, member)).toBe('60.000000')
  })

  test.describe('when nothing answers', () => {
    test.use({ expectedErrors: /Failed to load resource/ })

    const fill30 = async (dialog: Locator, to: string, password: string) => {
      await dialog.getByLabel('To UserId').fill(to)
      await dialog.getByLabel('Wallet Type').selectOption('Robot Fund')
      await dialog.getByLabel('Amount ($)').fill('30')
      await dialog.getByLabel('Transaction Password', { exact: true }).fill(password)
    }

    test('the lookup of the id fails with a message and can be retried', async ({
      ownPage: page,
    }) => {
      await page.route('**/api/check_sponsorid*', (route) => route.abort())
      const dialog = await openTransfer(page)
      await dialog.getByLabel('To UserId').fill('100002')
      await expect(dialog.getByText('The ID could not be checked.')).toBeVisible()
      // The look-up retries twice before it offers a button.
      const again = dialog.getByRole('button', { name: 'Try again' })
      await expect(again).toBeVisible()
      await page.unroute('**/api/check_sponsorid*')
      await again.click()
      await expect(dialog.getByText('The ID could not be checked.')).toBeHidden()
    })

    test('a timeout is reported as a lost answer, and a retry pays once', async ({
      ownPage: page,
      member,
      operator,
      server,
    }) => {
      // The call's timeout is long for a test.
      await page.addInitScript(() => {
        const wait = AbortSignal.timeout.bind(AbortSignal)
        AbortSignal.timeout = (limit) => wait(limit === 30_000 ? 1_000 : limit)
      })
      const receiver = await newMember(server, 'Rina Receiver')
      await giveFunds(server, operator, member, '100')
      const dialog = await openTransfer(page)
      await fill30(dialog, receiver.id, member.transactionPassword)
      await page.route('**/api/FundTransferToUser', async (route) => {
        await route.fetch()
        await new Promise(() => undefined)
      })
      await confirmBy(page, 'Fund Transfer')
      await expect(page.getByText(/The server did not respond/)).toBeVisible()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await confirmBy(page, 'Fund Transfer')
      await expect(page.getByText('Fund Transfered Successfully')).toBeVisible()
      expect(await fundsOf(server, receiver)).toBe('30.000000')
    })

    test('keeps the input, and a retry pays once', async ({
      ownPage: page,
      member,
      operator,
      server,
    }) => {
      const receiver = await newMember(server, 'Rina Receiver')
      await giveFunds(server, operator, member, '100')
      const dialog = await openTransfer(page)
      await fill30(dialog, receiver.id, member.transactionPassword)

      // The server processes the request, and its answer is lost.
      await page.route('**/api/FundTransferToUser', async (route) => {
        await route.fetch()
        await route.abort()
      })
      await confirmBy(page, 'Fund Transfer')
      await expect(page.getByText(/The server did not respond/)).toBeVisible()
      await expect(dialog.getByLabel('Amount ($)')).toHaveValue('30')
      expect(await fundsOf(server, receiver)).toBe('30.000000')

      await page.unroute('**/api/FundTransferToUser')
      // Elements below the toast can be pressed.
      for (const viewport of [
        { width: 1280, height: 720 },
        { width: 360, height: 640 },
      ]) {
        await page.setViewportSize(viewport)
        await dialog.getByRole('button', { name: 'Close' }).click({ trial: true, timeout: 1_000 })
      }
      await expect(page.getByText(/The server did not respond/)).toBeVisible()
      await page.setViewportSize({ width: 1280, height: 720 })
      await dialog.getByRole('button', { name: 'Close' }).click()
      await expect(dialog).toBeHidden()
      await openDialog(page)
      await confirmBy(page, 'Fund Transfer')
      await expect(page.getByText('Fund Transfered Successfully')).toBeVisible()
      expect(await fundsOf(server, receiver)).toBe('30.000000')
      expect(await fundsOf(server, member)).toBe('70.000000')
    })
  })
})
