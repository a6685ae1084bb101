import { expectWhole } from './checks.ts'
import { colleague, enter, expect, PASSWORD, test } from './console.ts'
import { nextCode } from './totp.ts'

// An invalid password is a 400 and a wrong proof a 422; browsers log both.
test.use({ expectedErrors: /400|422/ })

const NEW = 'another-whole-phrase-9'

test('an operator changes the password and signs in with the new one', async ({
  page,
  server,
  owner,
}) => {
  test.setTimeout(120_000)
  const operator = await colleague(server.url, owner, 'readonly')
  const button = page.getByRole('button', { name: 'Change password' })
  const field = (name: string) => page.getByLabel(name, { exact: true })
  const code = page.getByLabel('A code from your app')

  await enter(page, operator)
  await page.goto(`${server.url}/admin/password`)
  await expect(page.getByRole('heading', { name: 'My password' })).toBeVisible()
  await expectWhole(page)

  await test.step('what the server refuses stands at its field', async () => {
    await field('Current password').fill(PASSWORD)
    await field('New password').fill('password1234')
    await field('Confirm new password').fill('password1235')
    await button.click()
    await expect(page.getByText('The passwords don’t match').first()).toBeVisible()
    await field('Confirm new password').fill('password1234')
    await code.fill(await nextCode(operator.secret ?? ''))
    await button.click()
    await expect(page.getByText('easy to guess').first()).toBeVisible()
    await expect(field('New password')).toBeFocused()
  })

  await test.step('with the old one and a code it is changed', async () => {
    await field('New password').fill(NEW)
    await field('Confirm new password').fill(NEW)
    await button.click()
    await expect(page.getByText('Password changed.')).toBeVisible()
    await expect(field('Current password')).toHaveValue('')
  })

  await test.step('the new one signs in', async () => {
    await page.getByRole('button', { name: 'Log Out' }).click()
    await page.getByLabel('Email').fill(operator.email)
    await field('Password').fill(NEW)
    await page.getByLabel('Authentication code').fill(await nextCode(operator.secret ?? ''))
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Log Out' })).toBeVisible()
  })
})
