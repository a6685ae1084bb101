import type { Page } from '@playwright/test'
import { expectAccessible, expectNoSidewaysScroll } from './checks.ts'
import { expect, test } from './fixtures.ts'
import { letterTo } from './mail.ts'

const PASSWORD = 'leaf-and-stem'
let people = 0
const newEmail = () => `signup${Date.now()}x${people++}@demo.example`

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const send = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: 'Create Account' }).click()

async function fillAll(page: Page, name: string, email = newEmail()): Promise<string> {
  await field(page, 'User Name').fill(name)
  await field(page, 'Mobile').fill('9876543210')
  await field(page, 'Email').fill(email)
  await field(page, 'Password').fill(PASSWORD)
  await field(page, 'Confirm Password').fill(PASSWORD)
  await page.getByRole('checkbox').check()
  return email
}

/** The toast and the field show the same text. */
const expectTold = async (page: Page, text: string) => {
  const toast = page.locator('[data-kind="error"]').filter({ hasText: text })
  await expect(toast.first()).toBeVisible()
  await expect(page.locator('form [id$="-error"]')).toHaveText([text])
}

test('signing up from a left link leads to the welcome letter and the login', async ({
  page,
  server,
}) => {
  const { id } = server.demo.member
  await page.goto(`/Signup?userid=${id}&Position1=Left`)
  await expect(field(page, 'Sponsor ID')).toHaveValue(id)
  await expect(field(page, 'Sponsor Name')).not.toHaveValue('')
  await expect(field(page, 'Position')).toHaveValue('Left')
  await expect(field(page, 'Country')).toHaveValue('99')
  await expect(field(page, 'Code')).toHaveValue('+91')
  const email = await fillAll(page, 'Ada Lovelace')
  const sent = page.waitForRequest('**/api/registration')
  await send(page)
  const body = (await sent).postDataJSON()
  expect(Object.keys(body).sort()).toEqual(
    ['countryid', 'email', 'mobile', 'name', 'password', 'position', 'sid'].sort(),
  )
  expect(body.position).toBe(1)
  await expect(page.getByText('Successfull', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/WelcomePage\?userid=\d{6,}$/)
  const uid = new URL(page.url()).searchParams.get('userid') ?? ''
  const letter = page.getByRole('article')
  await expect(letter.getByRole('definition')).toHaveText([
    'Ada Lovelace',
    uid,
    email,
    '9876543210',
    'Left',
  ])
  await expectAccessible(page)
  await letterTo(server.url, email, new RegExp(uid))

  await letter.getByRole('link', { name: 'Login' }).click()
  await expect(field(page, 'User ID')).toHaveValue(uid)
  await field(page, 'Password').fill(PASSWORD)
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
  await expect(page.getByText('Login successful!')).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('a visitor sees only initials and id of a welcome letter', async ({ page, server }) => {
  const { id } = server.demo.member
  await page.goto(`/WelcomePage?userid=${id}`)
  await expect(page.getByRole('definition')).toHaveText([/^(\p{L}\.)+$/u, id])
  await page.goto('/WelcomePage?userid=1')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No letter found')
})

test.describe('while the welcome letter cannot be loaded', () => {
  test.use({ expectedErrors: /Failed to load resource/ })

  test('the page retries', async ({ page, server }) => {
    let asked = 0
    await page.route('**/api/WelcomeDetails*', (route) => {
      asked += 1
      return asked < 3 ? route.abort() : route.continue()
    })
    await page.goto(`/WelcomePage?userid=${server.demo.member.id}`)
    await expect(page.getByRole('definition').last()).toHaveText(server.demo.member.id)
    expect(asked).toBe(3)
  })
})

test('validation messages come in order', async ({ page, server }) => {
  await page.goto('/Signup')
  const tell = async (text: string) => {
    await send(page)
    await expectTold(page, text)
  }
  await tell('Sponsor ID is required')
  await field(page, 'Sponsor ID').fill('1234567890123456')
  await tell('Sponsor Id should not be greater than 15 characters')
  await field(page, 'Sponsor ID').fill('1')
  await expect(field(page, 'Sponsor Name')).toHaveValue('Wrong sponser id')
  await tell('Invalid Sponsor Id')
  await field(page, 'Sponsor ID').fill(server.demo.member.id)
  await expect(field(page, 'Sponsor Name')).not.toHaveValue(/^(Wrong sponser id)?$/)
  await tell('User Name is required')
  await field(page, 'User Name').fill('Ada')
  await tell('User Name must be at least 4 characters')
  await field(page, 'User Name').fill('Ada Lovelace')
  await field(page, 'Country').selectOption('')
  await tell('Country is required')
  await field(page, 'Country').selectOption('99')
  await tell('Enter Valid Mobile Number !!')
  await field(page, 'Mobile').fill('12345678')
  await tell('Enter Valid Mobile Number !!')
  await field(page, 'Mobile').fill('123456789')
  await tell('Please enter email address')
  await field(page, 'Email').fill('ab@demo.example')
  await tell('Please enter a valid email address')
  await field(page, 'Email').fill(newEmail())
  await tell('Password is required')
  await field(page, 'Password').fill('12345')
  await tell('Password must be at least 6 characters')
  await field(page, 'Password').fill(PASSWORD)
  await tell('Confirm Password is not match')
  await field(page, 'Confirm Password').fill(PASSWORD)
  await tell('Position is required')
  await field(page, 'Position').selectOption('Right')
  await tell('Select Terms and Conditions')
})

test('inputs refuse characters that are not allowed', async ({ page }) => {
  await page.goto('/Signup?userid=12ab34&Position1=Up')
  await expect(field(page, 'Sponsor ID')).toHaveValue('1234')
  await expect(field(page, 'Position')).toHaveValue('')
  await field(page, 'User Name').pressSequentially('Ab1 c!d🙂efghijklmnopqrstuvwxyz')
  await expect(field(page, 'User Name')).toHaveValue('Ab cdefghijklmnopqrs')
  await field(page, 'Mobile').pressSequentially('12a345678901234')
  await expect(field(page, 'Mobile')).toHaveValue('123456789012')
  for (const [label, most] of [
    ['Email', '50'],
    ['Password', '20'],
    ['Confirm Password', '20'],
  ] as const) {
    await expect(field(page, label)).toHaveAttribute('maxlength', most)
  }
  await expect(field(page, 'Title').getByRole('option')).toHaveText(['Mr', 'Mrs', 'Miss', 'Dr'])
  await field(page, 'Country').selectOption({ label: 'France' })
  await expect(field(page, 'Code')).toHaveValue('+33')
})

for (const name of ['مريم الفارسية', 'Wolfeschlegelsteinha', 'אברהם בן־דוד'.replace('־', ' ')]) {
  test(`"${name}" is shown in full, on a phone too`, async ({ page, server }) => {
    await page.setViewportSize({ width: 360, height: 800 })
    await page.goto(`/Signup?userid=${server.demo.member.id}&Position1=Right`)
    await fillAll(page, name)
    await send(page)
    await expect(page).toHaveURL(/\/WelcomePage/)
    await expect(page.getByRole('definition').first()).toHaveText(name)
    await expectNoSidewaysScroll(page)
  })
}

test('the button is disabled while sending, and enabled after an error', async ({
  page,
  server,
}) => {
  await page.goto(`/Signup?userid=${server.demo.member.id}&Position1=Left`)
  await fillAll(page, 'Grace Hopper')
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/registration', async (route) => {
    await held
    await route.fulfill({
      contentType: 'application/json',
      body: JSON.stringify({ data: { result: 'Sponsor is blocked', field: 'sid' } }),
    })
  })
  await send(page)
  await expect(page.getByRole('button', { name: 'Processing..' })).toBeDisabled()
  release()
  await expectTold(page, 'Sponsor is blocked')
  await expect(page.getByRole('main').getByRole('button', { name: 'Create Account' })).toBeEnabled()
  await expect(field(page, 'User Name')).toHaveValue('Grace Hopper')
})
