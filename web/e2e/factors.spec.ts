import type { Page } from '@playwright/test'
import { expectWhole } from './checks.ts'
import { plugIn } from './device.ts'
import { useSession } from './fixtures.ts'
import { letterTo, linkIn } from './mail.ts'
import { confirmBy, expect, fundsOf, giveFunds, setWallet, test } from './money.ts'
import { picture } from './picture.ts'
import { nextCode } from './totp.ts'

// Wrong passwords and codes are a 422, which browsers log.
test.use({ expectedErrors: /422/ })

const dialog = (page: Page) => page.getByRole('dialog')
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Sets an app up in the open page; returns its secret and the recovery codes. */
async function setUpApp(page: Page, password: string) {
  await card(page, 'Authenticator app').getByRole('button', { name: 'Set up app' }).click()
  await expect(dialog(page).getByLabel('Your password')).toBeFocused()
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('img', { name: /QR code/ })).toBeVisible()
  await expect(dialog(page).getByLabel('Code from the app')).toBeFocused()
  await picture(page, 'security-scan')
  const secret = (
    await dialog(page)
      .locator('span', { hasText: /^[A-Z2-7]{32}$/ })
      .innerText()
  ).trim()
  await page.keyboard.type(await nextCode(secret))
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('listitem')).toHaveCount(10)
  await picture(page, 'security-codes')
  const codes = await dialog(page).getByRole('listitem').allInnerTexts()
  return { secret, codes }
}

/** Empties the tab's session; with an empty one the fixture does not restore it. */
const signOut = (page: Page) => page.evaluate(() => sessionStorage.setItem('bifolia.session', '{}'))

async function signIn(page: Page, id: string, password: string) {
  await page.getByLabel('User ID').fill(id)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { name: 'Confirm it’s you' })).toBeVisible()
}

test('a member sets up an authenticator app, signs in with it and turns it off', async ({
  ownPage: page,
  member,
}) => {
  test.setTimeout(240_000)
  await page.goto('/Security')
  await expect(card(page, 'Two-step verification')).toContainText('Off')
  await expect(card(page, 'Two-step verification')).toContainText(
    'withdrawals and transfers to others pause for 24 hours',
  )
  await expectWhole(page)
  await picture(page, 'security-off')

  await card(page, 'Authenticator app').getByRole('button', { name: 'Set up app' }).click()
  await dialog(page).getByLabel('Your password').fill('not-the-password')
  await dialog(page).getByRole('button', { name: 'Continue' }).click()
  await expect(
    page.getByText('The password, the code or the passkey is wrong').first(),
  ).toBeVisible()
  await picture(page, 'security-ask')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)

  const { secret, codes } = await setUpApp(page, member.password)
  // Escape does not close codes that are shown once.
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeVisible()
  const saved = page.waitForEvent('download')
  await dialog(page).getByRole('button', { name: 'Download' }).click()
  expect((await saved).suggestedFilename()).toBe('recovery-codes.txt')
  await expectWhole(page)
  await dialog(page).getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(card(page, 'Two-step verification')).toContainText('On since')
  await expect(card(page, 'Recovery codes')).toContainText('10 left')
  await expect(page.getByText(/Withdrawals and transfers are paused until/)).toBeVisible()
  await expectWhole(page)
  await picture(page, 'security-on')

  await signOut(page)
  await page.goto('/Login')
  await signIn(page, member.id, member.password)
  await expect(page.getByLabel('Code')).toBeFocused()
  await expectWhole(page)
  await picture(page, 'second-step')
  await page.getByLabel('Code').fill('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByText('This code or passkey is wrong').first()).toBeVisible()
  await page.getByLabel('Code').fill(codes[0] ?? '')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard$/)

  await page.goto('/Security')
  await expect(card(page, 'Recovery codes')).toContainText('9 left')
  await card(page, 'Two-step verification').getByRole('button', { name: 'Turn off' }).click()
  await dialog(page).getByLabel('Your password').fill(member.password)
  await dialog(page).getByRole('button', { name: 'Turn off' }).click()
  // The password is not enough.
  await expect(dialog(page).getByText('Enter a code')).toBeVisible()
  await picture(page, 'security-turn-off')
  await dialog(page)
    .getByLabel('Code from the app')
    .fill(await nextCode(secret))
  await dialog(page).getByRole('button', { name: 'Turn off' }).click()
  await expect(card(page, 'Two-step verification')).toContainText('Off')
})

test('a member adds a passkey, signs in with it and removes it', async ({
  page,
  member,
  server,
}) => {
  test.setTimeout(240_000)
  const home = server.url.replace('127.0.0.1', 'localhost')
  const device = await plugIn(page)
  await useSession(page, member.session)

  // Browsers support no passkeys at an IP address, and the page says so.
  await page.goto('/Security')
  await expect(page.getByText(`Passkeys work at ${home} only`)).toBeVisible()

  await page.goto(`${home}/Security`)
  await card(page, 'Passkeys').getByRole('button', { name: 'Add passkey' }).click()
  await dialog(page).getByLabel('Device name').fill('Test laptop')
  await dialog(page).getByLabel('Your password').fill(member.password)
  await dialog(page).getByRole('button', { name: 'Continue' }).click()
  await expect(dialog(page).getByRole('listitem')).toHaveCount(10)
  await dialog(page).getByRole('button', { name: 'I’ve saved them' }).click()
  expect(await device.keys()).toBe(1)
  await card(page, 'Passkeys').getByRole('button', { name: 'Rename Test laptop' }).click()
  await dialog(page).getByLabel('Device name').fill('Kitchen laptop')
  await page.keyboard.press('Enter')
  await expect(card(page, 'Passkeys')).toContainText('Kitchen laptop')
  await expectWhole(page)
  await picture(page, 'security-passkey')

  await signOut(page)
  await page.goto(`${home}/Login`)
  await signIn(page, member.id, member.password)
  await expect(page.getByLabel('Recovery code')).toBeVisible()
  await picture(page, 'second-step-passkey')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)

  await page.goto(`${home}/Security`)
  await card(page, 'Passkeys').getByRole('button', { name: 'Remove Kitchen laptop' }).click()
  await expect(dialog(page)).toContainText('This is your only second step')
  await dialog(page).getByLabel('Your password').fill(member.password)
  await dialog(page).getByRole('button', { name: 'Use a passkey' }).click()
  await expect(card(page, 'Two-step verification')).toContainText('Off')
})

test('a password reset does not skip the second factor', async ({
  ownPage: page,
  member,
  server,
}) => {
  test.setTimeout(180_000)
  await page.goto('/Security')
  const { secret } = await setUpApp(page, member.password)
  await signOut(page)
  await page.goto('/ForgotPassword')
  await page.getByLabel('User ID').fill(member.id)
  await page.getByRole('button', { name: 'Resend Password' }).click()
  const link = linkIn(await letterTo(server.url, member.email, /reset=/), 'reset=')
  const { pathname, search, hash } = new URL(link)
  await page.goto(`${pathname}${search}${hash}`)
  await page.getByLabel('New Password').fill('another-leaf-9')
  await page.getByLabel('Confirm Password').fill('another-leaf-9')
  await page.getByRole('button', { name: 'Set Password' }).click()
  await expect(page).toHaveURL(/\/Login$/)
  await signIn(page, member.id, 'another-leaf-9')
  await page.getByLabel('Code').fill(await nextCode(secret))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('the security page and the second step are in Hindi', async ({
  ownPage: page,
  member,
  server,
}) => {
  await page.context().addCookies([{ name: 'bifolia.language', value: 'hi', url: server.url }])
  await page.goto('/Security')
  await expect(page.getByRole('heading', { name: 'सुरक्षा', exact: true })).toBeVisible()
  await expectWhole(page)
  await picture(page, 'security-off-hi')
  await page.getByRole('button', { name: 'ऐप सेट करें' }).click()
  await dialog(page).getByLabel('आपका पासवर्ड').fill(member.password)
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('img', { name: /QR/ })).toBeVisible()
  await picture(page, 'security-scan-hi')
  const secret = (
    await dialog(page)
      .locator('span', { hasText: /^[A-Z2-7]{32}$/ })
      .innerText()
  ).trim()
  await page.keyboard.type(await nextCode(secret))
  await page.keyboard.press('Enter')
  await picture(page, 'security-codes-hi')
  await dialog(page).getByRole('button', { name: 'मैंने इन्हें सहेज लिया' }).click()
  await expect(page.getByText(/तक रुके हैं/)).toBeVisible()
  await expectWhole(page)
  await picture(page, 'security-on-hi')
  await signOut(page)
  await page.goto('/Login')
  await page.getByLabel('यूज़र आईडी').fill(member.id)
  await page.getByLabel('पासवर्ड', { exact: true }).fill(member.password)
  await page.getByRole('button', { name: 'लॉगिन' }).click()
  await expect(page.getByRole('heading', { name: 'पुष्टि करें कि आप ही हैं' })).toBeVisible()
  await picture(page, 'second-step-hi')
})

test('a withdrawal is confirmed with the app or a passkey instead of a mailed code', async ({
  page,
  member,
  operator,
  server,
}) => {
  test.setTimeout(240_000)
  const home = server.url.replace('127.0.0.1', 'localhost')
  await plugIn(page)
  await useSession(page, member.session)
  await giveFunds(server, operator, member, '80')
  await setWallet(server, member)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(`${home}/Security`)
  const { secret } = await setUpApp(page, member.password)
  await dialog(page).getByRole('button', { name: 'I’ve saved them' }).click()

  await page.goto(`${home}/WithdrawalRequest`)
  const code = page.getByLabel('Code from the authenticator app')
  await expect(code).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send OTP' })).toHaveCount(0)
  await page.getByLabel('Withdrawal Income Type').selectOption('Unused fund balance')
  await page.getByLabel('Amount ($)').fill('30')
  await expectWhole(page)
  await picture(page, 'withdrawal-app')
  await code.fill('000000')
  await confirmBy(page, 'Withdrawal')
  await expect(
    page.getByText('This code or passkey does not confirm the request').first(),
  ).toBeVisible()
  await code.fill(await nextCode(secret))
  await confirmBy(page, 'Withdrawal')
  await expect(page.getByText('Withdrawal request has been sent !!')).toBeVisible()
  expect(await fundsOf(server, member)).toBe('50.000000')

  await page.goto(`${home}/Security`)
  await card(page, 'Passkeys').getByRole('button', { name: 'Add passkey' }).click()
  await dialog(page).getByLabel('Your password').fill(member.password)
  await dialog(page)
    .getByLabel('Code from the app')
    .fill(await nextCode(secret))
  await dialog(page).getByRole('button', { name: 'Continue' }).click()
  await expect(card(page, 'Passkeys')).toContainText('Device 1')
  await page.goto(`${home}/WithdrawalRequest`)
  await expect(page.getByText('Leave this empty to confirm with a passkey')).toBeVisible()
  await page.getByLabel('Withdrawal Income Type').selectOption('Unused fund balance')
  await page.getByLabel('Amount ($)').fill('20')
  await confirmBy(page, 'Withdrawal')
  await expect(page.getByText('Withdrawal request has been sent !!')).toBeVisible()
  expect(await fundsOf(server, member)).toBe('30.000000')
  await picture(page, 'withdrawal-passkey')
  expect(asked).not.toContain('/api/Withdrawalupdate')
})
