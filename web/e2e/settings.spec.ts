import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { expectWhole } from './checks.ts'
import { useSession as signIn } from './fixtures.ts'
import { letterTo, linkIn } from './mail.ts'
import { expect, expectRefused, newMember, test, WALLET } from './money.ts'
import { openSession } from './people.ts'
import { picture } from './picture.ts'
import { startServer } from './server.ts'

const MISMATCH = 'New password & cofirm password is not same !!'

async function changePassword(page: Page, kind: string, old: string, next: string, again = next) {
  await page.getByLabel(`Old ${kind}`, { exact: true }).fill(old)
  await page.getByLabel(`New ${kind}`, { exact: true }).fill(next)
  await page.getByLabel(`Confirm New ${kind}`, { exact: true }).fill(again)
  await page.getByRole('button', { name: 'Update' }).click()
}

test('changing the password ends other sessions', async ({ ownPage: page, member, server }) => {
  const elsewhere = await openSession(server.url, member)
  await page.goto('/ChangePassword')
  await expectRefused(page, 'Update', 'All the fields are required !!')
  await changePassword(page, 'Password', member.password, 'new-secret', 'new-secreT')
  await expect(page.getByText(MISMATCH).first()).toBeVisible()
  await changePassword(page, 'Password', 'not this one', 'new-secret')
  await expect(page.getByText('The old password is wrong.')).toHaveCount(2)
  await expect(page.getByLabel('Old Password', { exact: true })).toBeFocused()
  await expect(page.getByLabel('New Password', { exact: true })).toHaveValue('new-secret')
  await changePassword(page, 'Password', member.password, 'new-secret')
  await expect(page.getByText('Password Update Successfully', { exact: true })).toBeVisible()
  await letterTo(server.url, member.email, /password .*was changed/)
  await openSession(server.url, { id: member.id, password: 'new-secret' })
  const answer = await fetch(`${server.url}/api/sessions`, {
    headers: { Authorization: elsewhere.jwtToken },
  })
  expect(answer.status).toBe(401)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Change Password')
})

test('the transaction password is changed, and can be shown', async ({ ownPage: page, member }) => {
  const kind = 'Transaction Password'
  await page.goto('/TransactionPassword')
  await expectRefused(page, 'Update', 'All the fields are required !!')
  await changePassword(page, kind, member.transactionPassword, 'newpin99', 'newpin98')
  await expect(page.getByText(MISMATCH).first()).toBeVisible()
  await page.getByRole('button', { name: 'Show password' }).first().click()
  await expect(page.getByLabel(`Old ${kind}`, { exact: true })).toHaveAttribute('type', 'text')
  await changePassword(page, kind, 'notthis1', 'newpin99')
  await expect(page.getByText('Invalid transaction password.')).toHaveCount(2)
  await expect(page.getByLabel(`Old ${kind}`, { exact: true })).toBeFocused()
  await changePassword(page, kind, member.transactionPassword, 'newpin99')
  await expect(page.getByText('Transction Password Update Successfully')).toBeVisible()
})

test('the wallet address is validated, changed and mailed', async ({
  ownPage: page,
  member,
  server,
}) => {
  await page.goto('/ECurrencyDetails')
  await expect(page.getByText(/withdrawals pause for 48 hours/i)).toBeVisible()
  await expect(page.getByRole('tab')).toHaveText(['USDT Address'])
  await expectRefused(page, 'Submit', 'Please enter ecurrency address !!')
  const address = page.getByLabel('USDT Address (BEP-20)')
  await address.fill('0x123')
  await expectRefused(page, 'Submit', 'Transction Password is required')
  const password = page.getByLabel('Transaction Password', { exact: true })
  await password.fill(member.transactionPassword)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Enter a valid USDT (BEP-20) address').first()).toBeVisible()
  await expect(address).toBeFocused()
  await address.fill(WALLET)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Wallet Address Update Successfully')).toBeVisible()
  await letterTo(server.url, member.email, /wallet address of your account/)
  await page.reload()
  await expect(address).toHaveValue(WALLET)
})

/**
 * The form's fields in the order of its checks, with the errors for empty and short values, and a
 * valid value.
 */
const PROFILE = [
  ['First Name', 'User Name is required', 'Nova'],
  ['Last Name', 'Last Name is required', 'Leafson'],
  ['Father/Husband Name', 'Father/Husband Name is required', 'Father Leaf'],
  ['Country', 'Country is required', { index: 5 }],
  ['Email', 'Please enter email address', 'nova.leaf@demo.example'],
  ['Mobile', 'Mobile Number is required', '919876543210'],
  ['Date of Birth', 'Date of Birth is required', '1990-05-17'],
  ['Gender', 'Gender is required', 'Female'],
  ['Address', 'Address is required', 'Green Street 1'],
  ['About Us', 'About Us is required', 'Grows trees'],
  ['Nominee Name', 'Nominee Name is required', 'Nomi Leaf'],
  ['Nominee Relation', 'Nominee Relation is required', 'Sister'],
] as const
const SHORT = [
  ['First Name', 'User Name must be at least 4 characters'],
  ['Last Name', 'Last Name must be at least 4 characters'],
  ['Father/Husband Name', 'Father/Husband Name must be at least 4 characters'],
  ['Nominee Name', 'Nominee Name must be at least 4 characters'],
] as const

async function enter(page: Page, label: string, value: string | { index: number }) {
  const field = page.getByRole('tabpanel').getByLabel(label, { exact: true })
  const isSelect = await field.evaluate((element) => element.tagName === 'SELECT')
  if (isSelect) await field.selectOption(value)
  else if (typeof value === 'string') await field.fill(value)
}

test('the profile is validated field by field and saved', async ({ ownPage: page, member }) => {
  await page.goto('/ProfileSetting')
  await page.getByRole('tab', { name: 'Settings' }).click()
  for (const [label] of PROFILE) await enter(page, label, '')
  for (const [label, empty, value] of PROFILE) {
    await expectRefused(page, 'Update', empty)
    await enter(page, label, value)
  }
  await expectRefused(page, 'Update', 'Transction Password is required')
  for (const [label, text] of SHORT) {
    const field = page.getByRole('tabpanel').getByLabel(label, { exact: true })
    const value = await field.inputValue()
    await field.fill('A1b!')
    await expect(field).toHaveValue('Ab')
    await expectRefused(page, 'Update', text)
    await field.fill(value)
  }
  await enter(page, 'Email', 'no@mail')
  await expectRefused(page, 'Update', 'Please enter a valid email address')
  await enter(page, 'Email', member.email)
  await enter(page, 'Transaction Password', member.transactionPassword)
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Profile Update Successfully')).toBeVisible()
  await page.reload()
  await expect(page.getByText('17 May 1990')).toBeVisible()
  await expect(page.getByText('Nova Leafson').first()).toBeVisible()
})

test('a new e-mail address waits for confirmation and can be cancelled', async ({
  ownPage: page,
  member,
  server,
}) => {
  const [wanted, later] = [`new.${member.email}`, `later.${member.email}`]
  const card = page.getByRole('region', { name: 'Email address', exact: true })
  const changeTo = async (email: string) => {
    await page.goto('/ProfileSetting')
    await page.getByRole('tab', { name: 'Settings' }).click()
    for (const [label, , value] of PROFILE) await enter(page, label, value)
    await enter(page, 'Email', email)
    await enter(page, 'Transaction Password', member.transactionPassword)
    await page.getByRole('button', { name: 'Update' }).click()
    await expect(page.getByText('Profile Update Successfully')).toBeVisible()
    await page.goto('/Security')
    await expect(card).toContainText(email)
  }
  await changeTo(wanted)
  await expectWhole(page)
  await picture(page, 'email-pending')
  await card.getByRole('button', { name: 'Cancel change' }).click()
  await expect(card).not.toContainText(wanted)
  await expect(card).toContainText(member.email)

  await changeTo(later)
  await page.goto(linkIn(await letterTo(server.url, later, /confirm/i), '/ConfirmEmail'))
  await page.getByRole('button', { name: /Confirm/ }).click()
  await page.goto('/Security')
  await expect(card).toContainText(/you can undo this with the link/)
  await expectWhole(page)
  await picture(page, 'email-undo')
})

test('the profile has the link to invite by', async ({
  ownPage: page,
  member,
  server,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/ProfileSetting')
  await page.getByRole('button', { name: 'Copy: Referral link' }).click()
  await expect(page.getByText('Copied Invitation Link')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${server.url}/Signup?userid=${member.id}`,
  )
})

test('sign-ins elsewhere are listed and can be signed out', async ({
  ownPage: page,
  member,
  server,
}) => {
  const elsewhere = await openSession(server.url, member)
  await openSession(server.url, member)
  await page.goto('/ProfileSetting')
  await page.getByRole('tab', { name: 'Sign-ins' }).click()
  const lines = page.getByRole('tabpanel').getByRole('listitem')
  await expect(lines).toHaveCount(3)
  await lines.getByRole('button').first().click()
  await expect(page.getByText('Signed out.')).toBeVisible()
  await expect(lines).toHaveCount(2)
  await page.getByRole('button', { name: 'Sign out all other devices' }).click()
  await expect(page.getByText('All other devices signed out.')).toBeVisible()
  await expect(lines).toHaveCount(1)
  const answer = await fetch(`${server.url}/api/sessions`, {
    headers: { Authorization: elsewhere.jwtToken },
  })
  expect(answer.status).toBe(401)
})

/** A bank-code service that knows one code. */
async function startBankCodes() {
  const service = createServer(({ url }, answer) => {
    const isKnown = url === '/HDFC0000001'
    answer.statusCode = isKnown ? 200 : 404
    answer.end(JSON.stringify(isKnown ? { BANK: 'HDFC Bank', BRANCH: 'Mumbai Fort' } : {}))
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const { port } = service.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => service.close() }
}

test('bank details are saved where configured', async ({ page }) => {
  const codes = await startBankCodes()
  const server = await startServer(['--bank-details', 'true', '--ifsc-service', codes.url])
  try {
    const member = await newMember(server)
    await signIn(page, member.session)
    await page.goto(`${server.url}/ECurrencyDetails`)
    await page.getByRole('tab', { name: 'Bank Details' }).click()
    const panel = page.getByRole('tabpanel')
    for (const [label, empty, value] of [
      ['Holder Name', 'Holder Name is required', 'Nova Leaf'],
      ['Account No.', 'Account No. is required', '123456789012'],
      ['IFSC Code', 'Ifsc is required', 'HDFC0000001'],
      ['PAN No.', 'Pan No. is required', 'ABCPE1234F'],
      ['Aadhar No.', 'Aadhar no. is required', '234123412346'],
      ['Transaction Password', 'Transction Password is required', member.transactionPassword],
    ] as const) {
      await expectRefused(page, 'Submit', empty)
      await panel.getByLabel(label, { exact: true }).fill(value)
    }
    const bank = panel.getByLabel('Bank Name')
    await expect(bank).toHaveValue('HDFC Bank')
    await expect(bank).toHaveAttribute('readonly')
    await expect(panel.getByLabel('Branch Name')).toHaveValue('Mumbai Fort')
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByText('Bank Update Successfully')).toBeVisible()

    // An unknown code: bank and branch are typed.
    const branch = panel.getByLabel('Branch Name')
    await panel.getByLabel('IFSC Code').fill('SBIN0999999')
    await expect(panel.getByText(/Enter the bank and branch yourself/)).toBeVisible()
    await expect(bank).toHaveValue('')
    await expect(bank).toBeEditable()
    await expect(branch).toBeEditable()
    // The service does not know the branch of this code, only the bank.
    await panel.getByLabel('IFSC Code').fill('SBIN0000009')
    await expect(panel.getByText(/Enter the branch yourself/)).toBeVisible()
    await expect(bank).toHaveValue('State Bank of India')
    await branch.fill('Pune')
    await panel.getByLabel('Transaction Password', { exact: true }).fill(member.transactionPassword)
    // The toast of the first change may still be visible.
    const saved = page.waitForResponse('**/api/UpdateProfile')
    await page.getByRole('button', { name: 'Submit' }).click()
    await saved
    await page.reload()
    await page.getByRole('tab', { name: 'Bank Details' }).click()
    await expect(bank).toHaveValue('State Bank of India')
    await expect(branch).toHaveValue('Pune')
    await page.close()
  } finally {
    codes.stop()
    await server.stop()
  }
})
