import { expectAccessible, expectWhole } from './checks.ts'
import { useSession } from './fixtures.ts'
import { mailed } from './mail.ts'
import { expect, test } from './money.ts'
import { openSession, register } from './people.ts'
import { picture } from './picture.ts'

// A wrong password is a 422, which browsers log.
test.use({ expectedErrors: /422/ })

test('a mistyped e-mail address is corrected and confirmed', async ({ page, server }) => {
  const somebody = await register(server.url, server.demo.member.id, 'Left', 'Mira Mistyped')
  const right = `right.${somebody.email}`
  await useSession(page, await openSession(server.url, somebody))
  await page.goto('/dashboard')
  const banner = page.getByRole('region', { name: 'Confirm your email address' })
  await expect(banner).toContainText('Wrong address?')
  await expectWhole(page)
  await banner.getByRole('link', { name: 'Change it' }).click()

  const dialog = page.getByRole('dialog', { name: 'Change your email address' })
  await expect(dialog.getByLabel('Your email address')).toBeFocused()
  const change = dialog.getByRole('button', { name: 'Change address' })
  await change.click()
  await expect(dialog.getByText('Please enter email address')).toBeVisible()
  await dialog.getByLabel('Your email address').fill(right)
  await dialog.getByLabel('Your password').fill('not-the-password')
  await change.click()
  await expect(
    page.getByText('The password, the code or the passkey is wrong').first(),
  ).toBeVisible()
  await dialog.getByLabel('Your password').fill(somebody.password)
  await expectAccessible(page)
  await picture(page, 'email-wrong')
  await change.click()
  await expect(page.getByText('Address changed').first()).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(/\/Security$/)
  await expect(banner).toContainText(right)

  const card = page.getByRole('region', { name: 'Email address', exact: true })
  await expect(card).toContainText(right)
  await card.getByRole('button', { name: 'Change it' }).click() // as often as it is wrong
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await picture(page, 'email-wrong-card')

  await page.goto(await mailed(server.url, right, /(\/ConfirmEmail#confirm=\S+)/))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Your email address is confirmed',
  )
  await page.goto('/Security#correct') // a link that was kept does nothing any more
  await expect(card).toContainText('Confirmed')
  await expect(banner).toHaveCount(0)
  await expect(dialog).toHaveCount(0)
  await expect(card.getByRole('button', { name: 'Change it' })).toHaveCount(0)
})
