import type { Page } from '@playwright/test'
import { call, colleague, type Operator } from './console.ts'
import { expect, test } from './fixtures.ts'
import { approveFunds, confirmBy, newHash } from './money.ts'
import { DAY_MS, livingAhead, TO_NOON_MS } from './noon.ts'
import { signInOperator } from './operator.ts'
import { openSession } from './people.ts'
import { type Server, startEmpty } from './server.ts'

/** The operators close the days. */
const SETTINGS = ['--demo-history=false', '--auto-close=false']

const aheadOn = (days: number) => TO_NOON_MS + days * DAY_MS
const onDay = (days: number) => [...SETTINGS, ...livingAhead(aheadOn(days))]

async function logIn(page: Page, { url, demo }: Server) {
  await page.goto(`${url}/Login`)
  await page.getByLabel('User ID').fill(demo.member.id)
  await page.getByLabel('Password', { exact: true }).fill(demo.member.password)
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
}

/** Two operators, for closes and bookings, with the clock `days` days ahead. */
async function office(server: Server, days: number): Promise<[Operator, Operator]> {
  const ahead = aheadOn(days)
  const token = await signInOperator(server.url, server.demo.operator, ahead)
  const owner = { id: '', email: server.demo.operator.email, token }
  return [owner, await colleague(server.url, owner, 'finance', ahead)]
}

interface Days {
  data: { next: { day: string; over: boolean } }
}

/** One operator proposes the close of each finished day by its preview, the other commits it. */
async function closeDays(url: string, [first, second]: [Operator, Operator]) {
  const next = async () => (await call<Days>(url, 'operator/close/days', first.token)).data.next
  let { day, over } = await next()
  expect(over, `${day} is over`).toBe(true)
  for (; over; { day, over } = await next()) {
    const preview = await call<{ data: { digest: string } }>(
      url,
      'operator/close/preview',
      first.token,
      { day },
    )
    const body = { day, digest: preview.data.digest }
    await call(url, 'operator/close/propose', first.token, body)
    await call(url, 'operator/close/commit', second.token, body)
  }
}

/** One operator proposes a booking, the other approves exactly that. */
async function book(
  url: string,
  [first, second]: [Operator, Operator],
  what: 'pnl' | 'settle',
  amount: string,
) {
  const body = { line: 'FOREX', amount, reference: 'Statement 1' }
  const { data } = await call<{ data: { id: string; digest: string } }>(
    url,
    `operator/${what}`,
    first.token,
    body,
  )
  await call(url, 'operator/booking/decide', second.token, {
    id: data.id,
    digest: data.digest,
    approve: true,
  })
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const status = (page: Page) => page.getByRole('table').locator('tbody tr').getByRole('cell').nth(5)

async function invest(page: Page, server: Server, operator: string) {
  const { id, transactionPassword } = server.demo.member
  const { jwtToken } = await openSession(server.url, server.demo.member)
  await call(server.url, 'FundRequest', jwtToken, {
    uid: id,
    bankid: 2,
    amount: '5000',
    utrno: newHash(),
    usertype: 'USDT (BEP-20)',
    Fundtype: 'FOREXFUNDS',
  })
  await approveFunds(server, operator, id)
  await logIn(page, server)
  await page.goto(`${server.url}/ForexActivation`)
  await page.getByLabel('Package', { exact: true }).selectOption({ index: 2 })
  await page.getByLabel('Amount ($)').fill('1000')
  await page.getByLabel('Transaction Password', { exact: true }).fill(transactionPassword)
  await confirmBy(page, 'Activate')
  await expect(page.getByText('Successfully Activated...!!!')).toBeVisible()
}

/** The server on a later day. Pages of the earlier server send it no requests. */
async function onALaterDay(page: Page, server: Server, day: number): Promise<Server> {
  await page.goto('about:blank')
  return server.again(onDay(day))
}

test('a Forex investment earns its booked result: held first, released after settlement', async ({
  page,
}) => {
  test.setTimeout(180_000)
  let server = await startEmpty(onDay(0))
  try {
    await invest(page, server, await signInOperator(server.url, server.demo.operator, aheadOn(0)))

    // The next day: the day of the investment is closed, and a profit is booked.
    server = await onALaterDay(page, server, 1)
    let operators = await office(server, 1)
    await closeDays(server.url, operators)
    await book(server.url, operators, 'pnl', '100')
    await logIn(page, server)
    await page.goto(`${server.url}/RoiIncomeForex`)
    await expect(heading(page)).toHaveText('Forex Roi Income ( Total : $0.00 )')
    await expect(page.getByRole('table').locator('tbody tr')).toHaveCount(0)

    // The day after: 70 % of the profit are the member's, on Hold and in no total.
    server = await onALaterDay(page, server, 2)
    operators = await office(server, 2)
    await closeDays(server.url, operators)
    await logIn(page, server)
    await page.goto(`${server.url}/RoiIncomeForex`)
    await expect(status(page)).toHaveText('Hold')
    await expect(page.getByRole('cell', { name: '$70.00' })).toBeVisible()
    await expect(heading(page)).toHaveText('Forex Roi Income ( Total : $0.00 )')
    await book(server.url, operators, 'settle', '70')

    server = await onALaterDay(page, server, 3)
    await closeDays(server.url, await office(server, 3))
    await logIn(page, server)
    const incomes = page.getByRole('region', { name: 'Incomes' })
    await expect(incomes).toContainText('Forex Roi Income$70.00')
    await page.goto(`${server.url}/RoiIncomeForex`)
    await expect(status(page)).toHaveText('Release')
    await expect(heading(page)).toHaveText('Forex Roi Income ( Total : $70.00 )')
    await page.close()
  } finally {
    await server.stop()
  }
})
