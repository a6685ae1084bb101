import { expectWhole } from './checks.ts'
import { colleague, enter, expect, PASSWORD, test } from './console.ts'
import { plugIn } from './device.ts'
import { register } from './people.ts'
import { picture } from './picture.ts'
import { nextCode } from './totp.ts'

// A wrong password is a 422 and a missing proof a 403, which browsers log.
test.use({ expectedErrors: /403|422/ })

test('an operator adds a passkey, signs in with it and removes it', async ({
  page,
  server,
  owner,
  demo,
}) => {
  test.setTimeout(240_000)
  const operator = await colleague(server.url, owner, 'compliance')
  const home = server.url.replace('127.0.0.1', 'localhost')
  const device = await plugIn(page)
  const dialog = page.getByRole('dialog')
  const password = dialog.getByLabel('Your password')
  const code = dialog.getByLabel('A code from your app')
  const fresh = () => nextCode(operator.secret ?? '')

  await test.step('at a number browsers know no passkeys, and the page says where they do', async () => {
    await enter(page, operator)
    await page.goto(`${server.url}/admin/passkeys`)
    await expect(page.getByText(`Passkeys work at ${home} only`)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add passkey' })).toBeHidden()
  })

  await test.step('add one, with the password and a code', async () => {
    await page.goto(`${home}/admin/passkeys`)
    await expect(page.getByText('You have no passkeys yet.')).toBeVisible()
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await dialog.getByLabel('Device name').fill('Test laptop')
    await password.fill('not-the-password')
    await code.fill(await fresh())
    await dialog.getByRole('button', { name: 'Add passkey' }).click()
    await expect(dialog.getByRole('alert')).toContainText(
      'The password, the code or the passkey is wrong',
    )
    expect(await device.keys()).toBe(0)
    await password.fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Add passkey' }).click()
    await expect(page.getByRole('cell', { name: 'Test laptop' })).toBeVisible()
    expect(await device.keys()).toBe(1)
    await expectWhole(page)
  })

  await test.step('a device has one passkey here; a passkey stands for the code', async () => {
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await dialog.getByLabel('Device name').fill('The same')
    await password.fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Add passkey' }).click()
    await expect(dialog.getByRole('alert')).toContainText('already has a passkey')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  await test.step('sign out, and in by it, with nothing typed', async () => {
    await page.getByRole('button', { name: 'Log Out' }).click()
    const button = page.getByRole('button', { name: 'Sign in with a passkey' })
    await expect(button).toBeVisible()
    await expectWhole(page)
    await device.owner(false)
    await button.click()
    await expect(page.getByText('No passkey was received')).toBeVisible()
    await device.owner(true)
    await button.click()
    await expect(page).toHaveURL(/\/admin(?!\/login)/)
    await page.goto(`${home}/admin/passkeys`)
    await expect(page.getByRole('row', { name: /Test laptop/ })).toBeVisible()
  })

  await test.step('what weighs is proved by it', async () => {
    const person = await register(server.url, demo.ordinary.id, 'Left', 'Person Proven')
    await page.goto(`${home}/admin/member?uid=${person.id}`)
    await page.getByRole('button', { name: 'Block member', exact: true }).click()
    const act = page.getByRole('dialog', { name: 'Block this member?' })
    await act.getByRole('textbox').fill('an odd payment')
    await act.getByRole('button', { name: 'Block member' }).click()
    const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await expect(proof.getByRole('button', { name: 'Use a passkey' })).toBeVisible()
    await picture(page, 'proof-passkey')
    await proof.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(page.getByRole('button', { name: 'Unblock member', exact: true })).toBeVisible()
    await page.goto(`${home}/admin/passkeys`)
  })

  await test.step('remove it: it signs nobody in any more', async () => {
    await page.getByRole('button', { name: 'Remove passkey' }).click()
    await password.fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Remove passkey' }).click()
    await expect(page.getByText('You have no passkeys yet.')).toBeVisible()
    await page.getByRole('button', { name: 'Log Out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await expect(page.getByText('This passkey cannot sign you in.')).toBeVisible()
  })
})
