import { expectAccessible } from './checks.ts'
import { useSession } from './fixtures.ts'
import { mailed } from './mail.ts'
import { expect, newMember, test } from './money.ts'
import { openSession, post, register } from './people.ts'

const LINK = /(\/ConfirmEmail#confirm=\S+)/

test('a new member confirms the address and chooses a transaction password', async ({
  page,
  server,
}) => {
  const somebody = await register(server.url, server.demo.member.id, 'Left', 'Cora Confirm')
  await useSession(page, await openSession(server.url, somebody))
  await page.goto('/dashboard')
  const banner = page.getByRole('region', { name: 'Confirm your email address' })
  await expect(banner).toContainText(somebody.email)
  const choose = page.getByRole('region', { name: 'Choose your transaction password' })
  await expectAccessible(page)
  const first = await mailed(server.url, somebody.email, LINK)
  await banner.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText(`We sent the link to ${somebody.email}.`)).toBeVisible()

  await page.goto(first)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText(/This link is not valid any more/).first()).toBeVisible()
  await page.goto('/dashboard')
  await page.goto(await mailed(server.url, somebody.email, LINK))
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Your email address is confirmed',
  )
  await page.goto('/dashboard')
  await expect(banner).toHaveCount(0)

  await choose.getByRole('link', { name: 'Choose now' }).click()
  const password = await mailed(server.url, somebody.email, /Transaction password: (\S+)/)
  const field = (label: string) => page.getByLabel(label, { exact: true })
  await field('Old Transaction Password').fill(password)
  await field('New Transaction Password').fill('Mine4me7')
  await field('Confirm New Transaction Password').fill('Mine4me7')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Transction Password Update Successfully')).toBeVisible()
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(choose).toHaveCount(0)
})

test.describe('signed out', () => {
  // Without a session the first call says so; the missing password is a 400.
  test.use({ expectedErrors: /status of 40[01]/ })

  test('confirming an address signed out takes the password', async ({ page, server }) => {
    const somebody = await register(server.url, server.demo.member.id, 'Left', 'Paula Password')
    await page.goto(await mailed(server.url, somebody.email, LINK))
    const confirm = page.getByRole('button', { name: 'Confirm' })
    await confirm.click()
    const password = page.getByLabel('Your password', { exact: true })
    await expect(password).toBeVisible()
    await expectAccessible(page)
    await password.fill('not-the-password')
    await confirm.click()
    await expect(page.getByText('Invalid username or password.').first()).toBeVisible()
    await password.fill(somebody.password)
    await confirm.click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Your email address is confirmed',
    )
  })

  test('undoing a change of address ends every session', async ({ page, server }) => {
    const member = await newMember(server, 'Ursula Undo')
    const next = `next${member.email}`
    const { Result } = (
      await post<{ data: { Result: string } }>(
        `${server.url}/api/UpdateProfile`,
        {
          uid: member.id,
          type: 'profile',
          f_name: 'Ursula Undo',
          l_name: 'Undoson',
          father: 'Adam Undo',
          counrtyid: '99',
          email: next,
          mobile: '9876543210',
          DOB: '1990-02-28',
          gender: 'Female',
          address: 'Street 1',
          aboutUser: 'I am here',
          NomineeName: 'Abel Undo',
          nomineerelation: 'Brother',
          ctrans_password: member.transactionPassword,
        },
        member.session.jwtToken,
      )
    ).data
    expect(Result).toBe('Profile Update Successfully')
    await useSession(page, member.session)
    await page.goto('/dashboard')
    const banner = page.getByRole('region', { name: 'Confirm your email address' })
    await expect(banner).toContainText(next)
    await page.goto(await mailed(server.url, next, LINK))
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByRole('link', { name: 'Login' }).first()).toBeVisible()

    await page.goto(await mailed(server.url, member.email, /(\/ConfirmEmail#undo=\S+)/))
    await page.getByRole('button', { name: 'Undo change' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Your old email address is back',
    )
    await page.goto('/dashboard')
    await expect(page).toHaveURL(/\/Login$/)
  })
})
