import type { Page } from '@playwright/test'
import { expectWholeEverywhere } from './checks.ts'
import { expect, test, WALLET } from './money.ts'
import { picture } from './picture.ts'

const NOW = '2026-11-19T10:00:00Z'
const HASH = `0x${'ab'.repeat(32)}`

const intent = (id: string, amount: string, more: object = {}) => ({
  ...{ id, amount, Fundtype: 'FUNDS', address: WALLET, imglink: '', opened: NOW },
  ...{ expires: '2026-11-19T12:00:00Z', state: 'open', request: '', ...more },
})

const deposit = (more: object) => ({
  ...{ mode: 'hash', address: WALLET, imglink: '', confirmations: 15, minimum: '1.000000' },
  ...{ now: NOW, seen: [], intents: [], ...more },
})

/** A demo has no chain: what the server says of one is put in its mouth. */
async function serve(page: Page, answer: () => object) {
  await page.route('**/api/DepositAddress*', (route) => route.fulfill({ json: { data: answer() } }))
}

const card = (page: Page, name: string | RegExp) => page.getByRole('region', { name })

test('a member with an address of their own sees it and what is on the way', async ({
  ownPage: page,
}) => {
  await page.clock.install()
  const seen = [{ utrno: HASH, amount: '25.000000', confirmations: 3, needed: 15 }]
  await serve(page, () => deposit({ mode: 'address', seen }))
  await page.goto('/FundRequestECurrency')
  const own = card(page, 'Your USDT address')
  await expect(own.getByRole('textbox')).toHaveValue(WALLET)
  await expect(own.getByRole('img', { name: /QR code/ })).toBeVisible()
  await expect(own).toContainText('credited to you after 15 confirmations')
  await expect(card(page, 'Payments on the way')).toContainText('3 of 15 confirmations')
  // The form is as it was.
  await expect(page.getByLabel('TRX number')).toBeVisible()
  await expectWholeEverywhere(page)
  await picture(page, 'deposit-own')
  seen[0] = { utrno: HASH, amount: '25.000000', confirmations: 9, needed: 15 }
  await page.clock.runFor(21_000)
  await expect(card(page, 'Payments on the way')).toContainText('9 of 15 confirmations')
})

test('a payment is announced, counts down, and can be cancelled', async ({ ownPage: page }) => {
  await page.clock.install()
  let intents = [
    intent('5', '70.120000', { state: 'paid', request: '900001' }),
    intent('4', '60.550000', { state: 'ended' }),
    intent('3', '50.310000', { state: 'ended' }),
  ]
  const seen = [{ utrno: HASH, amount: '50.310000', confirmations: 2, needed: 15 }]
  await serve(page, () => deposit({ mode: 'intent', intents, seen }))
  const sent: unknown[] = []
  await page.route('**/api/DepositIntent', (route) => {
    sent.push(route.request().postDataJSON())
    intents = [intent('6', '100.370000'), ...intents]
    return route.fulfill({ json: { data: 'success', intent: intents[0] } })
  })
  await page.route('**/api/CancelDepositIntent', (route) => {
    sent.push(route.request().postDataJSON())
    intents = intents.map((i) => (i.id === '6' ? { ...i, state: 'ended' } : i))
    return route.fulfill({ json: { data: 'success' } })
  })
  await page.goto('/FundRequestECurrency')
  const form = card(page, 'Announce a payment')
  await form.getByRole('button', { name: 'Get the amount to pay' }).click()
  await expect(form.getByLabel('Fund Type')).toBeFocused()
  await form.getByLabel('Fund Type').selectOption('FUNDS')
  await form.getByLabel('Amount ($)').fill('100')
  await page.keyboard.press('Enter')
  const pay = card(page, /Send exactly 100.37 USDT/)
  await expect(pay.getByRole('textbox')).toHaveValue(WALLET)
  await expect(pay.getByRole('timer')).toHaveText(/^(2:00:00|1:59:\d\d)$/)
  await page.clock.runFor(3_000)
  await expect(pay.getByRole('timer')).toHaveText(/^1:59:\d\d$/)
  const rest = card(page, 'Announced payments')
  await expect(rest.getByRole('listitem').nth(0)).toContainText('Credited')
  await expect(rest.getByRole('listitem').nth(1)).toContainText('Expired')
  await expect(rest.getByRole('listitem').nth(2)).toContainText('2 of 15 confirmations')
  await expectWholeEverywhere(page)
  await picture(page, 'deposit-announced')

  await pay.getByRole('button', { name: 'Cancel the payment of 100.37 USDT' }).click()
  const asked = page.getByRole('dialog', { name: 'Cancel this payment?' })
  await expect(asked).toContainText('Do not cancel it if you have sent the money already')
  await asked.getByRole('button', { name: 'Cancel the payment' }).click()
  await expect(pay).toHaveCount(0)
  await expect(rest.getByRole('listitem')).toHaveCount(4)
  expect(sent).toMatchObject([{ amount: '100', Fundtype: 'FUNDS' }, { id: '6' }])
})

test('the deposit screens are in Hindi', async ({ ownPage: page, server }) => {
  await page.context().addCookies([{ name: 'bifolia.language', value: 'hi', url: server.url }])
  let answer = deposit({ mode: 'intent', intents: [intent('6', '100.370000')] })
  await serve(page, () => answer)
  await page.goto('/FundRequestECurrency')
  await expect(page.getByRole('heading', { name: /ठीक इतना भेजें/ })).toBeVisible()
  await expectWholeEverywhere(page)
  await picture(page, 'deposit-announced-hi')
  answer = deposit({ mode: 'address' })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'आपका USDT पता' })).toBeVisible()
  await picture(page, 'deposit-own-hi')
})
