import type { Page } from '@playwright/test'
import { expectHindiStays, expectNoCutTables } from './checks.ts'
import { call, colleague, enter, expect, invite, PASSWORD, test } from './console.ts'
import { mailed } from './mail.ts'
import { openSession } from './people.ts'
import { nextCode } from './totp.ts'

const heading = 1

test('an operator signs in with a code, sees pending requests and signs out', async ({
  page,
  demo,
}) => {
  const { email, password, secret } = demo.operator
  await page.goto('/admin/close')
  await expect(page).toHaveURL(/\/admin\/login$/)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Authentication code').fill('000000')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(/\/admin\/login$/)
  await page.getByLabel('Authentication code').fill(await nextCode(secret))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  // The address before the sign-in.
  await expect(page.getByRole('heading', { level: heading })).toHaveText('Daily close')
  await page.getByRole('link', { name: 'Home' }).click()
  await expect(page.getByText('To do')).toBeVisible()
  await expect(page.getByText('Payouts as a share of revenue')).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem('bifolia.session'))).toBeNull()
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(page).toHaveURL(/\/admin\/login$/)
  expect(await page.evaluate(() => sessionStorage.getItem('bifolia.operator'))).toBeNull()
})

test('the first sign-in sets up a second factor and shows recovery codes once', async ({
  page,
  server,
  owner,
}) => {
  const email = await invite(server.url, owner, 'readonly')
  await page.goto('/admin/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  const secret = await page.getByText(/^[A-Z2-7]{32}$/).innerText()
  await page.getByLabel('Code from the app').fill(await nextCode(secret))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('listitem')).toHaveCount(10)
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(page.getByRole('heading', { level: heading })).toHaveText('Home')
  await expectHindiStays(page, 'To do', 'क्या प्रतीक्षा में है')
  await expect(page.getByRole('heading', { level: heading })).toHaveText('मुखपृष्ठ')
})

test('a read-only operator sees no trading and no decisions', async ({
  page,
  server,
  owner,
  demo,
}) => {
  await enter(page, await colleague(server.url, owner, 'readonly'))
  await page.goto(`/admin/member?uid=${demo.ordinary.id}`)
  const menu = page.getByRole('navigation', { name: 'Console menu' })
  await expect(menu.getByRole('link', { name: 'Withdrawals' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Trading' })).toHaveCount(0)
  await expect(page.getByText('Place in the tree')).toBeVisible()
  await page.getByRole('tab', { name: 'Requests' }).click()
  await page.getByLabel('Kind').selectOption('Funds received')
  await expect(page.getByRole('region', { name: 'Requests' })).toContainText('Fund')
  await page.getByRole('tab', { name: 'Incomes' }).click()
  await expect(
    page.getByRole('region', { name: 'Incomes' }).or(page.getByText('No income of this kind yet')),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Block member', exact: true })).toHaveCount(0)
  // The address alone shows no forms either.
  await page.goto('/admin/trading')
  await expect(
    page.getByRole('heading', { name: 'You don’t have access to this page' }),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: /Propose|Recall/ })).toHaveCount(0)
})

test('a fund request is approved by keyboard, and the member has the money', async ({
  ownerPage: page,
  server,
  demo,
}) => {
  const { id: uid, password } = demo.ordinary
  const member = await openSession(server.url, { id: uid, password })
  const balance = async () => {
    const path = `getIncomeAmount?type=FundBalance&sid=${uid}`
    return JSON.stringify(await call(server.url, path, member.jwtToken))
  }
  const before = await balance()
  await call(server.url, 'FundRequest', member.jwtToken, {
    uid,
    bankid: 1,
    amount: '321',
    utrno: `HDFC${Date.now()}`,
    Fundtype: 'FUNDS',
  })
  await page.goto(`/admin/funds?uid=${uid}`)
  await expect(page.getByRole('cell', { name: '$321.00' }).first()).toBeVisible()
  await expect(page.getByRole('heading', { name: `Member ${uid}` })).toBeVisible()
  // The oldest request is the first.
  await page.getByRole('cell', { name: '$321.00' }).first().click()
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('$321.00 will be credited')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('Approved.')).toBeVisible()
  expect(await balance()).not.toBe(before)
})

test.describe('above the limit', () => {
  test('a withdrawal is approved by one operator, then by another, and rejected with a reason', async ({
    ownerPage: page,
    server,
    owner,
    demo,
    browser,
  }) => {
    const { id: uid, password, transactionPassword: transaction_password } = demo.member
    const { jwtToken } = await openSession(server.url, { id: uid, password })
    const wanted = { uid, Request_amount: '26', withdrawlType: 'FundBalance', Wtype: 'USDT' }
    await call(server.url, 'UpdateProfile', jwtToken, {
      type: 'ecurrency',
      uid,
      accountaddress: '0x52908400098527886e0f7030069857d2e4169ee7',
      ctrans_password: transaction_password,
    })
    const { data } = await call<{ data: { person: { email: string } } }>(
      server.url,
      `operator/member?uid=${uid}`,
      owner.token,
    )
    const Email = data.person.email
    await call(server.url, 'Withdrawalupdate', jwtToken, { ...wanted, Email })
    const otp = await mailed(server.url, Email, /OTP: (\d{6})/)
    await call(server.url, 'Withdrawal', jwtToken, { ...wanted, otp, withdrawlby: 'By User' })

    // The limit also applies to older requests, so the list has more than this one.
    const row = (on: Page) => on.getByRole('row').filter({ hasText: '$26.00' })
    const approve = async (on: Page) => {
      await row(on).getByText('$26.00').first().click()
      await on.getByRole('button', { name: /^Approve withdrawal/ }).click()
      await on.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    }
    await page.goto(`/admin/withdrawals?uid=${uid}`)
    await expect(row(page)).toContainText('0 of 2')
    await approve(page)
    await expect(row(page)).toContainText(`1 of 2 · ${owner.email}`)
    // The same operator cannot be the second one, and is not asked.
    await row(page).getByText('$26.00').first().click()
    await expect(page.getByRole('button', { name: /^Reject withdrawal/ })).toBeVisible()
    await expect(page.getByRole('button', { name: /^Approve withdrawal/ })).toHaveCount(0)

    const context = await browser.newContext({ baseURL: server.url })
    const second = await context.newPage()
    await enter(second, await colleague(server.url, owner, 'finance'))
    await second.goto(`/admin/withdrawals?uid=${uid}`)
    await approve(second)
    await expect(second.getByText('Approved.')).toBeVisible()
    await second.goto(`/admin/withdrawals?uid=${uid}&state=Approved`)
    await expect(second.getByRole('cell', { name: /^2 of 2/ })).toBeVisible()
    await second.keyboard.press('r')
    await second.getByLabel(/^Message/).fill('the address is not yours')
    await second.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await expect(second.getByText('Rejected.')).toBeVisible()
    await context.close()
  })
})

test('a demo proposes the current day after its preview, and replays a past one', async ({
  ownerPage: page,
}) => {
  await page.goto('/admin/close')
  const card = page.getByRole('region', { name: /^Next: / })
  await expect(card).toContainText('Not over yet')
  await expect(card.getByRole('button', { name: 'Propose' })).toHaveCount(0)
  await card.getByRole('button', { name: 'Preview' }).click()
  const compared = page.getByRole('region', { name: 'Totals compared with the day before' })
  await expect(compared.first()).toContainText('Total paid')
  await expect(page.getByRole('region', { name: 'Pools after the close' })).toContainText(
    'Leadership',
  )
  await page.getByLabel('Show', { exact: true }).selectOption('Reduced by the daily cap')
  await expect(
    page.getByText('No such rows on this day.').or(page.getByText('capped')),
  ).toBeVisible()
  await expect(page.getByRole('region', { name: 'Result' })).toContainText(/[0-9a-f]{64}/)
  await expect(card.getByRole('button', { name: 'Propose' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Closed days' })).toContainText('schedule')

  await test.step('every past close can be replayed and compared', async () => {
    await page.getByRole('button', { name: 'View', exact: true }).first().click()
    await expect(page).toHaveURL(/day=\d{4}-\d{2}-\d{2}/)
    await expect(page.getByRole('heading', { name: /^Close of / })).toBeVisible()
    await expectNoCutTables(page)
    await page.getByRole('button', { name: 'Replay and compare' }).click()
    await expect(
      page.getByText('The replay produced the same digest and the same rows.'),
    ).toBeVisible({
      timeout: 60_000,
    })
    await page
      .getByRole('button', { name: /: closed$/ })
      .first()
      .click()
    await expect(page.getByRole('button', { name: /: closed$/, pressed: true })).toHaveCount(1)
  })
})

test('a member is found, blocked and unblocked, and the audit log has both', async ({
  ownerPage: page,
  demo,
}) => {
  await page.goto('/admin/members')
  await page.getByLabel(/^User ID, name/).fill(demo.ordinary.id)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('link', { name: demo.ordinary.id }).click()
  await page.getByRole('button', { name: 'Block member', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Block member' }).click()
  await expect(dialog.getByText('Enter a value.')).toBeVisible()
  await dialog.getByLabel(/^Reason/).fill('two people, one wallet')
  await dialog.getByRole('button', { name: 'Block member' }).click()
  await expect(page.getByText('two people, one wallet')).toBeVisible()
  await page.getByRole('button', { name: 'Unblock member' }).click()
  await dialog.getByLabel(/^Reason/).fill('it was a family')
  await dialog.getByRole('button', { name: 'Unblock member' }).click()
  await expect(page.getByRole('button', { name: 'Block member', exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Audit log' }).click()
  await expect(page.getByText('it was a family')).toBeVisible()
})

test('a draft of the plan lists every mistake with its path', async ({ ownerPage: page }) => {
  await page.goto('/admin/plan')
  const file = page.getByLabel('Plan file')
  const plan = JSON.parse(await file.inputValue()) as Record<string, unknown>
  await file.fill(JSON.stringify({ ...plan, version: '', nonsense: 1 }))
  await expect(page.getByRole('region', { name: 'Errors' })).toContainText('nonsense')
})

test('a distant first day of a plan is warned of, and an invalid one refused', async ({
  ownerPage: page,
}) => {
  await page.goto('/admin/plan')
  await page.getByLabel('Version name').fill('far-away')
  const from = page.getByLabel('First day', { exact: true })
  const warning = /is more than a year away/
  const propose = page.getByRole('button', { name: 'Propose' })
  await from.fill('9999-12-31')
  await expect(page.getByText(warning)).toBeVisible()
  await propose.click()
  await expect(page.getByRole('dialog')).toContainText(warning)
  await page.keyboard.press('Escape')
  await from.fill('12026-01-01')
  await expect(from).toHaveAccessibleDescription(/A day is written as 2026-01-31/)
  await expect(propose).toBeDisabled()
})

/** Pages whose tables show every column on a large screen, without being scrolled to. */
const NO_CUT = [
  '/admin/claims?state=all',
  '/admin/trading',
  '/admin/funds?state=all',
  '/admin/withdrawals?state=all',
]

test('tables of the console show all their columns on a large screen', async ({
  ownerPage: page,
}) => {
  for (const path of NO_CUT) {
    await test.step(path, async () => {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: heading })).toBeVisible()
      await page.waitForLoadState('networkidle')
      await expectNoCutTables(page)
    })
  }
})

test('on a phone, the selected request scrolls into view', async ({ page, owner }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await enter(page, owner)
  await page.goto('/admin/funds')
  const rows = page.getByRole('region', { name: 'Fund requests' }).getByRole('row')
  await rows.last().getByRole('cell').nth(2).click()
  const card = page.getByRole('heading', { name: /^No\. \d+$/ })
  await expect(card).toBeInViewport()
  await expect(page.getByText('Paid into')).toBeVisible()
})
