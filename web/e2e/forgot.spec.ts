import type { Page } from '@playwright/test'
import { expect, useSession as signIn, test } from './fixtures.ts'
import { letterTo, linkIn } from './mail.ts'
import { confirmAddress } from './money.ts'
import { openSession, register } from './people.ts'
import { startServer } from './server.ts'

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

async function ask(page: Page, id: string) {
  await page.goto('/ForgotPassword')
  await field(page, 'User ID').fill(id)
  await page.getByRole('button', { name: 'Resend Password' }).click()
  await expect(page.getByText('Password sent to Email Id')).toBeVisible()
  await expect(page).toHaveURL(/\/Login$/)
  // The address changes a moment before the screen.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Login')
  await expect(page.getByText('Check your email')).toBeVisible()
  await expect(field(page, 'User ID')).toHaveValue(id)
}

async function logIn(page: Page, id: string, password: string) {
  await field(page, 'User ID').fill(id)
  await field(page, 'Password').fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
  await expect(page.getByText('Login successful!')).toBeVisible()
}

test('the user id takes six digits', async ({ page }) => {
  await page.goto('/ForgotPassword')
  await page.getByRole('button', { name: 'Resend Password' }).click()
  await expect(page.getByText('User ID is required')).toHaveCount(2)
  await field(page, 'User ID').pressSequentially('12ab345678')
  await expect(field(page, 'User ID')).toHaveValue('123456')
  await page.getByRole('main').getByRole('link', { name: 'Home' }).click()
  await expect(page).toHaveURL(/\/$/)
})

test('the answer is the same for an unknown id', async ({ page }) => {
  await ask(page, '999999')
})

test('the mailed link sets a new password', async ({ page, server }) => {
  const person = await register(server.url, server.demo.member.id, 'Left', 'New Person')
  await confirmAddress(server.url, person)
  await ask(page, person.id)
  const letter = await letterTo(server.url, person.email, /reset=/)
  const { pathname, hash } = new URL(linkIn(letter, '/ForgotPassword'))
  await page.goto(pathname + hash)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set a new password')
  const set = page.getByRole('button', { name: 'Set Password' })
  await set.click()
  await expect(page.getByText('Password is required')).toHaveCount(2)
  await field(page, 'New Password').fill('12345')
  await set.click()
  await expect(page.getByText('Password must be at least 6 characters')).toHaveCount(2)
  await field(page, 'New Password').fill('a-new-password')
  await set.click()
  await expect(page.getByText('Confirm Password is not match')).toHaveCount(2)
  await field(page, 'Confirm Password').fill('a-new-password')
  await set.click()
  await expect(page.getByText('Your new password is set.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Login')
  await logIn(page, person.id, 'a-new-password')
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('a temporary password must be changed first', async ({ page, server }) => {
  const person = await register(server.url, server.demo.member.id, 'Left', 'New Person')
  await confirmAddress(server.url, person)
  await ask(page, person.id)
  const { text } = await letterTo(server.url, person.email, /reset=/)
  const [, temporary = ''] = /Temporary password: (\S+)/.exec(text) ?? []
  expect(temporary, text).not.toBe('')
  await logIn(page, person.id, temporary)
  await expect(page).toHaveURL(/\/ChangePassword$/)
  await expect(page.getByText(/You signed in with the temporary password/)).toBeVisible()
  // The form must not send a refused request: it would log an error and fail the test.
  for (const path of ['/dashboard', '/ProfileSetting']) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/ChangePassword$/)
  }
  await page.getByLabel('Old Password').fill(temporary)
  await page.getByLabel('New Password', { exact: true }).fill('a-new-password')
  await page.getByLabel('Confirm New Password').fill('a-new-password')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Password Update Successfully')).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard')
})

test.describe('a link that was used or made up', () => {
  test.use({ expectedErrors: /status of 4\d\d/ })

  test('is refused with a message, and a new one can be requested', async ({ page, server }) => {
    await page.goto(`/ForgotPassword#reset=made-up&userid=${server.demo.ordinary.id}`)
    await field(page, 'New Password').fill('a-new-password')
    await field(page, 'Confirm Password').fill('a-new-password')
    await page.getByRole('button', { name: 'Set Password' }).click()
    await expect(page.locator('[data-kind="error"]')).toBeVisible()
    await expect(page).toHaveURL(/reset=made-up/)
    await page.getByRole('link', { name: 'Send another email' }).click()
    await expect(page.getByRole('button', { name: 'Resend Password' })).toBeVisible()
  })
})

test('a mailed code is required where the installation is configured so', async ({ page }) => {
  const server = await startServer(['--forgot-password-otp', 'true'])
  try {
    const person = await register(server.url, server.demo.member.id, 'Left', 'New Person')
    await confirmAddress(server.url, person)
    const codeNow = async () => {
      const { text } = await letterTo(server.url, person.email, /One-time code: \d{6}/)
      return /One-time code: (\d{6})/.exec(text)?.[1] ?? ''
    }
    await page.goto(`${server.url}/ForgotPassword`)
    const otp = field(page, 'OTP')
    await expect(page.getByRole('button', { name: 'Send OTP' })).toBeVisible()
    await expect(otp).toHaveCount(0)
    await field(page, 'User ID').fill(person.id)
    await page.getByRole('button', { name: 'Send OTP' }).click()
    await expect(page.getByText('OTP sent successfully!')).toBeVisible()
    const resend = page.getByRole('button', { name: 'Resend Password' })
    await resend.click()
    await expect(page.getByText('Please Enter Otp')).toHaveCount(2)
    const code = await codeNow()
    await otp.fill(code === '111111' ? '222222' : '111111')
    await resend.click()
    await expect(page.getByText(/^Invalid OTP\./)).toHaveCount(2)
    await expect(otp).toBeFocused()
    await otp.fill(code)
    await resend.click()
    await expect(page.getByText('Password sent to Email Id')).toBeVisible()
    await expect(page).toHaveURL(/\/Login$/)
    await letterTo(server.url, person.email, /reset=/)

    await signIn(page, await openSession(server.url, person))
    await page.goto(`${server.url}/ChangePassword`)
    await field(page, 'Old Password').fill(person.password)
    await field(page, 'New Password').fill('new-secret')
    await field(page, 'Confirm New Password').fill('new-secret')
    const update = page.getByRole('button', { name: 'Update' })
    await update.click()
    await expect(page.getByText('OTP sent successfully!')).toBeVisible()
    await expect(otp).toBeVisible()
    await expect(async () => expect(await codeNow()).not.toBe(code)).toPass()
    const next = await codeNow()
    await otp.fill(next === '111111' ? '222222' : '111111')
    await update.click()
    await expect(page.getByText(/^Invalid OTP\./)).toHaveCount(2)
    await expect(otp).toBeFocused()
    await otp.fill(next)
    await update.click()
    await expect(page.getByText('Password Update Successfully', { exact: true })).toBeVisible()
    await openSession(server.url, { id: person.id, password: 'new-secret' })
    await page.close()
  } finally {
    await server.stop()
  }
})
