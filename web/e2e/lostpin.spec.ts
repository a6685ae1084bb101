import { expectWhole } from './checks.ts'
import { useSession } from './fixtures.ts'
import { mailed } from './mail.ts'
import { confirmAddress, expect, test } from './money.ts'
import { openSession, register } from './people.ts'

// A wrong password is a 422, which browsers log.
test.use({ expectedErrors: /422/ })

const DAY_MS = 86_400_000

test('a member replaces an expired transaction password', async ({ page, server }) => {
  const somebody = await register(server.url, server.demo.member.id, 'Left', 'Lena Later')
  await useSession(page, await openSession(server.url, somebody))
  // The page's server is a day ahead; the other one still accepts it, which does not matter here.
  await page.route('**/api/account', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: { transactionPasswordEnds: string } }
    if (body.data.transactionPasswordEnds !== '')
      body.data.transactionPasswordEnds = new Date(Date.now() - DAY_MS).toISOString()
    await route.fulfill({ response, json: body })
  })
  await page.goto('/dashboard')
  const banner = page.getByRole('region', { name: 'Choose your transaction password' })
  await expect(banner).toContainText('has expired')
  await banner.getByRole('link', { name: 'Get a new one' }).click()

  const lost = page.getByRole('region', {
    name: 'The transaction password we emailed you has expired',
  })
  await expect(lost).toContainText('Confirm your email address first')
  await expect(lost.getByRole('button', { name: 'Send again' })).toBeVisible()
  await confirmAddress(server.url, somebody)
  await page.reload()
  await expect(lost).toContainText(somebody.email)
  await expectWhole(page)

  await lost.getByRole('button', { name: 'Email me a new one' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').fill('not-the-password')
  await dialog.getByRole('button', { name: 'Email me a new one' }).click()
  await expect(
    page.getByText('The password, the code or the passkey is wrong').first(),
  ).toBeVisible()
  await dialog.getByLabel('Your password').fill(somebody.password)
  await dialog.getByRole('button', { name: 'Email me a new one' }).click()
  await expect(
    page.getByText(`emailed a new transaction password to ${somebody.email}`).first(),
  ).toBeVisible()
  await expect(dialog).toHaveCount(0)

  const again = await mailed(
    server.url,
    somebody.email,
    /password you requested on[\s\S]*Transaction password: (\S+)/,
  )
  const field = (label: string) => page.getByLabel(label, { exact: true })
  await field('Old Transaction Password').fill(again)
  await field('New Transaction Password').fill('Mine4me7')
  await field('Confirm New Transaction Password').fill('Mine4me7')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Transction Password Update Successfully')).toBeVisible()
  const answered = page.waitForResponse('**/api/account')
  await page.goto('/dashboard')
  await answered
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(banner).toHaveCount(0)
})
