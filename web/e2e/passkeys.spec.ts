import type { Page } from '@playwright/test'
import { expectWholeEverywhere } from './checks.ts'
import { colleague, enter, expect, PASSWORD, test } from './console.ts'

/** A device that keeps passkeys and knows its owner by finger, as browsers' tests have it. */
async function plugIn(page: Page) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    keys: async () =>
      (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    owner: (isUserVerified: boolean) =>
      cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}

// A wrong password is answered with 422, which browsers log.
test.use({ expectedErrors: /422/ })

test('an operator adds a passkey, signs in with it and removes it', async ({
  page,
  server,
  owner,
}) => {
  test.setTimeout(120_000)
  const operator = await colleague(server.url, owner, 'readonly')
  const home = server.url.replace('127.0.0.1', 'localhost')
  const device = await plugIn(page)
  const dialog = page.getByRole('dialog')
  const proof = dialog.getByLabel('Your password, or a code of your app')

  await test.step('at a number browsers know no passkeys, and the page says where they do', async () => {
    await enter(page, operator)
    await page.goto(`${server.url}/admin/passkeys`)
    await expect(page.getByText(`Passkeys work at ${home} only`)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeHidden()
  })

  await test.step('add one, with the password', async () => {
    await page.goto(`${home}/admin/passkeys`)
    await expect(page.getByText('Your passkeys stand here.')).toBeVisible()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await dialog.getByLabel('Name of the device').fill('Test laptop')
    await proof.fill('not-the-password')
    await dialog.getByRole('button', { name: 'Add a passkey' }).click()
    await expect(dialog.getByRole('alert')).toContainText('neither your password nor a code')
    expect(await device.keys()).toBe(0)
    await proof.fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Add a passkey' }).click()
    await expect(page.getByRole('cell', { name: 'Test laptop' })).toBeVisible()
    expect(await device.keys()).toBe(1)
    await expectWholeEverywhere(page)
  })

  await test.step('a device has one passkey here', async () => {
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await dialog.getByLabel('Name of the device').fill('The same')
    await proof.fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Add a passkey' }).click()
    await expect(dialog.getByRole('alert')).toContainText('has a passkey here already')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  await test.step('sign out, and in by it, with nothing typed', async () => {
    await page.getByRole('button', { name: 'Log Out' }).click()
    const button = page.getByRole('button', { name: 'Sign in with a passkey' })
    await expect(button).toBeVisible()
    await expectWholeEverywhere(page)
    await device.owner(false)
    await button.click()
    await expect(page.getByText('The device gave no passkey')).toBeVisible()
    await device.owner(true)
    await button.click()
    await expect(page).toHaveURL(/\/admin(?!\/login)/)
    await page.goto(`${home}/admin/passkeys`)
    await expect(page.getByRole('row', { name: /Test laptop/ })).toBeVisible()
  })

  await test.step('remove it: it signs nobody in any more', async () => {
    await page.getByRole('button', { name: 'Remove' }).click()
    await proof.fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('Your passkeys stand here.')).toBeVisible()
    await page.getByRole('button', { name: 'Log Out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await expect(page.getByText('This passkey signs nobody in.')).toBeVisible()
  })
})
