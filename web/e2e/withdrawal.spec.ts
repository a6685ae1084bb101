import { formatMoney, minus } from '../src/lib/money.ts'
import { useSession } from './fixtures.ts'
import { mailed } from './mail.ts'
import { confirmBy, expect, expectRefused, fundsOf, giveFunds, setWallet, test } from './money.ts'

test('a withdrawal is validated, takes the mailed code and can be cancelled', async ({
  ownPage: page,
  member,
  operator,
  server,
}) => {
  await giveFunds(server, operator, member, '80')
  const wallet = await setWallet(server, member)
  await page.goto('/WithdrawalRequest')
  await expect(page.getByLabel('User ID')).toHaveValue(member.id)
  await expect(page.getByLabel('User ID')).toHaveAttribute('readonly')
  await expect(page.getByLabel('Email for the OTP')).toHaveValue(member.email)
  await expect(page.getByText(wallet).first()).toBeVisible()
  await expect(page.getByText(/withdrawals pause for 48 hours/i)).toBeVisible()
  const balances = page.getByRole('region', { name: 'Available Balance in USDT' })
  await expect(balances.getByRole('term')).toHaveCount(7)
  await expect(balances).toContainText('Unused fund balance$80.00')
  await expect(
    page.getByRole('main').getByRole('button', { name: 'Withdrawal', exact: true }),
  ).toHaveCount(0)

  await expectRefused(page, 'Send OTP', 'Please enter Amount')
  await page.getByLabel('Amount ($)').pressSequentially('5x012345678901')
  await expect(page.getByLabel('Amount ($)')).toHaveValue('5012345678')
  await page.getByLabel('Amount ($)').fill('50')
  await expectRefused(page, 'Send OTP', 'Please Withdrawal Income Type')
  // An error that does not depend on the balance is shown at the amount, and no code is sent.
  const tooMuch = (has: string, needs: string) => `You have $${has} and need $${needs}.`
  await page.getByLabel('Withdrawal Income Type').selectOption('Level Income')
  await expectRefused(page, 'Send OTP', tooMuch('0.00', '50.00'))
  await page.getByLabel('Amount ($)').fill('1')
  await expectRefused(
    page,
    'Send OTP',
    'The minimum income withdrawal is $10.00, in whole dollars.',
  )
  await page.getByLabel('Withdrawal Income Type').selectOption('Unused fund balance')
  await page.getByLabel('Amount ($)').fill('81')
  await expectRefused(page, 'Send OTP', tooMuch('80.00', '81.00'))
  await expect(page.getByLabel('Amount ($)')).toBeFocused()
  await expect(page.getByLabel('OTP', { exact: true })).toHaveCount(0)
  await page.getByLabel('Amount ($)').fill('50')
  await page.getByRole('button', { name: 'Send OTP' }).click()
  await expect(page.getByText('OTP sent successfully!')).toBeVisible()
  await expect(page.getByLabel('OTP', { exact: true })).toBeFocused()

  await page.getByLabel('Amount ($)').fill('')
  await expect(page.getByText('The details changed after we sent the OTP.')).toBeVisible()
  await expectRefused(page, 'Withdrawal', 'Enter Amount !!')
  await page.getByLabel('Amount ($)').fill('50')
  await page.getByLabel('Withdrawal Income Type').selectOption('')
  await expectRefused(page, 'Withdrawal', 'Select Income Type !!')
  await page.getByLabel('Withdrawal Income Type').selectOption('Unused fund balance')
  await page.getByLabel('Withdrawal Type').selectOption('')
  await expectRefused(page, 'Withdrawal', 'Select Withdrawal Type!!')
  await page.getByLabel('Withdrawal Type').selectOption('USDT (BEP-20)')
  await expectRefused(page, 'Withdrawal', 'Please Enter Otp')

  const code = await mailed(server.url, member.email, /OTP: (\d{6})/)
  await page.getByLabel('OTP', { exact: true }).fill(code === '111111' ? '222222' : '111111')
  await confirmBy(page, 'Withdrawal')
  await expect(page.getByText('Invalid OTP !!')).toHaveCount(2)
  await expect(page.getByLabel('OTP', { exact: true })).toBeFocused()
  await expect(page.getByLabel('Amount ($)')).toHaveValue('50')
  await page.getByLabel('OTP', { exact: true }).fill(code)
  await confirmBy(page, 'Withdrawal')
  await expect(page.getByText('Withdrawal request has been sent !!')).toBeVisible()
  await expect(balances).toContainText('Unused fund balance$30.00')
  await expect(page.getByLabel('OTP', { exact: true })).toHaveCount(0)

  const pending = page.getByRole('region', { name: 'Pending requests' })
  await expect(pending).toContainText('$50.00')
  await pending.getByRole('button').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel withdrawal' }).click()
  await expect(page.getByText('Withdrawal has been cancelled !!')).toBeVisible()
  await expect(pending).not.toContainText('$50.00')
  expect(await fundsOf(server, member)).toBe('80.000000')
})

test.describe('when nothing answers', () => {
  test.use({ expectedErrors: /Failed to load resource/ })

  test('a withdrawal is made once across a reload and a new code', async ({
    ownPage: page,
    member,
    operator,
    server,
  }) => {
    await giveFunds(server, operator, member, '80')
    await setWallet(server, member)
    await page.goto('/WithdrawalRequest')
    await page.getByLabel('Amount ($)').fill('21')
    await page.getByLabel('Withdrawal Income Type').selectOption('Unused fund balance')
    await page.getByRole('button', { name: 'Send OTP' }).click()
    const code = await mailed(server.url, member.email, /OTP: (\d{6})/)
    await page.getByLabel('OTP', { exact: true }).fill(code)
    // The server processes the request, and its answer is lost.
    await page.route('**/api/Withdrawal', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await confirmBy(page, 'Withdrawal')
    await expect(page.getByText(/The server did not respond/)).toBeVisible()
    await page.unroute('**/api/Withdrawal')

    await page.reload()
    await expect(page.getByLabel('OTP', { exact: true })).toHaveValue('')
    await page.getByRole('button', { name: 'Send OTP again' }).click()
    await expect(page.getByText('OTP sent successfully!')).toBeVisible()
    await page.getByLabel('OTP', { exact: true }).fill(code)
    await confirmBy(page, 'Withdrawal')
    await expect(page.getByText(/were processed once/)).toBeVisible()
    const pending = page.getByRole('region', { name: 'Pending requests' })
    await expect(pending.getByText('$21.00')).toHaveCount(1)
    expect(await fundsOf(server, member)).toBe('59.000000')
  })
})

test('the fee of an income withdrawal is shown before sending', async ({ page, memberSession }) => {
  await useSession(page, memberSession)
  await page.goto('/WithdrawalRequest')
  await page.getByLabel('Withdrawal Income Type').selectOption('Level Income')
  await page.getByLabel('Amount ($)').fill('100')
  const form = page.getByRole('region', { name: 'Withdraw', exact: true })
  await expect(form).toContainText('Fee$2.00')
  await expect(form).toContainText('You receive$98.00')
  const [, shown = ''] = /Balance before\$([\d.,]+)/.exec((await form.textContent()) ?? '') ?? []
  const before = shown.replaceAll(',', '')
  await expect(form).toContainText(`Balance after${formatMoney(minus(before, '100'))}`)
  await page.getByLabel('Amount ($)').fill(String(Number.parseInt(before, 10) + 1))
  await expect(form).toContainText('Your balance is too low.')
})
