import type { Page } from '@playwright/test'
import { call, colleague, enter, expect, invite, type Operator, officeTest } from './console.ts'
import { SIZE } from './history.ts'
import { DAY_MS, TO_NOON_MS } from './noon.ts'
import { openSession } from './people.ts'
import type { Server } from './server.ts'

/**
 * A server whose clock is one or two days ahead: the current day is over there and can be closed.
 */
const AHEAD_MS = DAY_MS + TO_NOON_MS
const test = officeTest(['--fund-two-above=100'], { size: SIZE, aheadMs: AHEAD_MS })

const dialogOf = (page: Page) => page.getByRole('dialog')

/** Presses a button, and the button of the same name in the dialog. */
async function press(page: Page, scope: { getByRole: Page['getByRole'] }, name: string | RegExp) {
  await scope.getByRole('button', { name }).first().click()
  await dialogOf(page).getByRole('button', { name }).last().click()
}

const rowOf = (page: Page, region: string, text: string) =>
  page.getByRole('region', { name: region, exact: true }).getByRole('row').filter({ hasText: text })

const WAITING = 'Waiting for approval'
const SENT = 'Proposed. Another operator must approve it.'

/** The other operator sees the exact payload and its hash, and approves them. */
async function approveUnderTrading(page: Page, mark: string, payload: RegExp, done: string) {
  await page.goto('/admin/trading')
  await rowOf(page, WAITING, mark).getByRole('button', { name: 'Approve' }).click()
  await expect(dialogOf(page)).toContainText(payload)
  await dialogOf(page).getByText('Signed content', { exact: false }).first().click()
  await expect(dialogOf(page).getByText(/^[0-9a-f]{64}$/)).toBeVisible()
  await dialogOf(page).getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText(done)).toBeVisible()
  await expect(rowOf(page, WAITING, mark)).toHaveCount(0)
}

/** A second operator's page. */
async function besides(page: Page, server: Server, owner: Operator, role: string) {
  const context = await page.context().browser()?.newContext({ baseURL: server.url })
  if (!context) throw new Error('The page has no browser')
  const other = await context.newPage()
  await enter(other, await colleague(server.url, owner, role, AHEAD_MS))
  return other
}

/** The number of a sale past its cooling-off period. */
async function finalSale(server: Server, owner: Operator): Promise<string> {
  const path = `operator/member/purchases?uid=${server.demo.member.id}`
  const { data } = await call<{ data: { id: string }[][] }>(server.url, path, owner.token)
  const sale = data[0]?.at(-1)?.id
  if (!sale) throw new Error('The leader has bought nothing')
  return sale
}

test('two operators recall cash, settle a profit and charge a sale back', async ({
  ownerPage: page,
  owner,
  server,
}) => {
  test.setTimeout(180_000)
  const other = await besides(page, server, owner, 'finance')

  await page.goto('/admin/claims?state=Open')
  const claim = page.getByRole('row').nth(1)
  const id = (await claim.getByRole('cell').filter({ hasText: /^C-/ }).textContent()) ?? ''
  await claim.getByText(id).click()
  await page.keyboard.press('r')
  await expect(dialogOf(page).getByLabel(/^Claim/)).toHaveValue(id)
  await dialogOf(page).getByRole('button', { name: 'Propose recall' }).click()
  await expect(page.getByText(SENT)).toBeVisible()
  await page.goto('/admin/trading')
  // In a demo the author of a proposal may approve it too; the server's tests cover other
  // installations.
  await expect(rowOf(page, WAITING, id)).toBeVisible()
  await approveUnderTrading(other, id, /"kind":"recall"/, 'Approved.')
  await page.goto(`/admin/claims?state=Funded`)
  await expect(page.getByText(id)).toBeVisible()

  await page.goto('/admin/trading')
  await page.getByRole('button', { name: 'Propose a settlement' }).click()
  await dialogOf(page)
    .getByLabel(/^Amount/)
    .fill('1.25')
  await dialogOf(page)
    .getByLabel(/^Supporting document/)
    .fill('transfer 4711')
  await dialogOf(page).getByRole('button', { name: 'Propose settlement' }).click()
  await expect(page.getByText(SENT)).toBeVisible()
  await approveUnderTrading(
    other,
    'transfer 4711',
    /"kind":"settle".*"amount":"1\.250000"/,
    'Approved and booked.',
  )

  const sale = await finalSale(server, owner)
  await page.goto('/admin/trading')
  await page.getByRole('button', { name: 'Propose a chargeback' }).click()
  await dialogOf(page).getByLabel(/^Sale/).fill(sale)
  await dialogOf(page)
    .getByLabel(/^Supporting document/)
    .fill('letter of the bank')
  await dialogOf(page).getByRole('button', { name: 'Propose chargeback' }).click()
  await expect(page.getByText(SENT)).toBeVisible()
  await approveUnderTrading(
    other,
    'letter of the bank',
    /"kind":"chargeback".*"price":"[\d.]+","package":\d+,.*"buyer":\d+/,
    'Approved and booked.',
  )

  // Both operators see the warning of a loss that the line cannot bear.
  const loss = { line: 'FOREX', amount: '-900000000', reference: 'a zero too many' }
  const { data } = await call<{ data: { id: string; digest: string } }>(
    server.url,
    'operator/pnl',
    owner.token,
    loss,
  )
  for (const on of [page, other]) {
    await on.goto('/admin/trading')
    await expect(rowOf(on, WAITING, loss.reference)).toContainText('The company would pay')
  }
  await call(server.url, 'operator/booking/decide', owner.token, {
    id: data.id,
    digest: data.digest,
    approve: false,
  })
  await other.context().close()
})

test('a day is closed by two operators with the digest both saw', async ({
  ownerPage: page,
  owner,
  server,
}) => {
  test.setTimeout(180_000)
  await page.goto('/admin/close')
  const card = (on: Page) => on.getByRole('region', { name: /^Next: / })
  const day = (await card(page).getByRole('heading').textContent()) ?? ''
  await card(page).getByRole('button', { name: 'Preview' }).click()
  await press(page, card(page), 'Propose')
  await expect(page.getByText('Close proposed. Another operator must commit it.')).toBeVisible()

  const other = await besides(page, server, owner, 'finance')
  await other.goto('/admin/close')
  await card(other).getByRole('button', { name: 'Preview' }).click()
  await press(other, card(other), 'Commit')
  await expect(other.getByText('Day closed.')).toBeVisible()
  await expect(other.getByRole('region', { name: day, exact: true })).toHaveCount(0)
  await other.context().close()
})

test('a plan is proposed by one operator and approved by another', async ({
  ownerPage: page,
  owner,
  server,
}) => {
  test.setTimeout(180_000)
  const other = await besides(page, server, owner, 'finance')
  await page.goto('/admin/plan')
  await page.getByLabel('Version name').fill('by two')
  const from = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10)
  await page.getByLabel('First day').fill(from)
  await page.getByRole('button', { name: 'Propose' }).click()
  await dialogOf(page).getByRole('textbox').fill('the board decided so')
  await dialogOf(page).getByRole('button', { name: 'Propose' }).click()
  await expect(page.getByText('Proposed. Another operator must approve it.')).toBeVisible()

  await other.goto('/admin/plan')
  const version = other.getByRole('row').filter({ hasText: 'by two' })
  await version.getByRole('button', { name: 'View' }).click()
  await expect(dialogOf(other)).toContainText(/[0-9a-f]{64}/)
  await expect(dialogOf(other)).toContainText('version')
  await dialogOf(other).getByRole('button', { name: 'Close' }).click()
  await version.getByRole('button', { name: 'Approve' }).click()
  await expect(dialogOf(other)).toContainText('the board decided so')
  await dialogOf(other).getByRole('textbox').fill('I have read it')
  await dialogOf(other).getByRole('button', { name: 'Approve' }).click()
  await expect(version).toContainText('Approved')
  await other.context().close()
})

test('a fund request above the limit is credited by two operators', async ({
  ownerPage: page,
  owner,
  server,
  browser,
}) => {
  const { id: uid, password } = server.demo.ordinary
  const session = await openSession(server.url, { id: uid, password })
  await call(server.url, 'FundRequest', session.jwtToken, {
    uid,
    bankid: 1,
    amount: '4321',
    utrno: `HDFC${Date.now()}`,
    Fundtype: 'FUNDS',
  })
  const row = (on: Page) => on.getByRole('row').filter({ hasText: '$4,321.00' })
  const approve = async (on: Page) => {
    await on.goto(`/admin/funds?uid=${uid}`)
    await row(on).getByText('$4,321.00').first().click()
    await on.getByRole('button', { name: /^Approve request/ }).click()
  }
  await approve(page)
  await dialogOf(page).getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText(`1 of 2 · ${owner.email}`)).toBeVisible()
  const other = await besides(page, server, owner, 'finance')
  await approve(other)
  await expect(dialogOf(other)).toContainText(/[0-9a-f]{64}/)
  await dialogOf(other).getByRole('button', { name: 'Approve' }).click()
  await expect(row(other)).toHaveCount(0)
  await other.context().close()

  const context = await browser.newContext({ baseURL: server.url })
  const own = await context.newPage()
  await own.addInitScript(
    (stored) => sessionStorage.setItem('bifolia.session', stored),
    JSON.stringify(session),
  )
  await own.goto('/ProfileSetting')
  await own.getByRole('tab', { name: 'Account history' }).click()
  await expect(own.getByRole('tabpanel')).toContainText('Fund request')
  await context.close()
})

// The last test: with two owners, one alone can no longer invite operators.
test('a role is changed by two owners', async ({ ownerPage: page, owner, server }) => {
  const email = await invite(server.url, owner, 'support')
  const chief = await besides(page, server, owner, 'owner')
  await page.goto('/admin/operators')
  await page
    .getByRole('row')
    .filter({ hasText: email })
    .getByRole('button', { name: 'Change role' })
    .click()
  await dialogOf(page).getByLabel(/^Role/).selectOption('compliance')
  await dialogOf(page)
    .getByLabel(/^Reason/)
    .fill('she looks after complaints now')
  await dialogOf(page).getByRole('button', { name: 'Change role' }).click()
  await expect(page.getByText('Proposed. Another owner must approve it.')).toBeVisible()
  const asked = (on: Page) =>
    on.getByRole('row').filter({ hasText: 'she looks after complaints now' })
  await expect(asked(page).getByRole('button')).toHaveText(['Withdraw proposal'])
  await chief.goto('/admin/operators')
  await asked(chief).getByRole('button', { name: 'Approve' }).click()
  await expect(dialogOf(chief)).toContainText(/[0-9a-f]{64}/)
  await dialogOf(chief).getByRole('button', { name: 'Approve' }).click()
  await expect(asked(chief)).toContainText('Approved')
  await chief.context().close()
})
