import type { Page } from '@playwright/test'
import { type Chain, startChain } from './chain.ts'
import { expectNoCutTables, expectWhole } from './checks.ts'
import { enter } from './console.ts'
import { test as base, expect, fundsOf } from './money.ts'
import { picture } from './picture.ts'
import { startServer } from './server.ts'

/** The server reads the chain every fifteen seconds: so many blocks are new each time. */
const CONFIRMATIONS = 16

/** A server that watches a chain, with settings that depend on the chain. */
const siteWith = (more: (chain: Chain) => string[]) =>
  base.extend<object, { chain: Chain }>({
    chain: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from here
      async ({}, use) => {
        const chain = await startChain(CONFIRMATIONS)
        await use(chain)
        await chain.stop()
      },
      { scope: 'worker' },
    ],
    server: [
      async ({ chain }, use) => {
        const server = await startServer([...chain.reading, ...more(chain)])
        await use(server)
        await server.stop()
      },
      { scope: 'worker', timeout: 90_000 },
    ],
  })

const own = siteWith(({ xpub }) => ['--deposit-xpub', xpub])
const shared = siteWith(() => [])

/** The server reads every fifteen seconds; the page asks it every twenty. */
const SOON = { timeout: 45_000, intervals: [1_000] }

const card = (page: Page, name: string | RegExp) => page.getByRole('region', { name })

const open = async (page: Page) => {
  await page.goto('/FundRequestECurrency')
  await expect(page.getByLabel('TRX number')).toBeVisible()
}

/** Reloads the page until it shows the text, which is faster than its own interval. */
const becomes = (page: Page, shown: () => Promise<void>) =>
  expect(async () => {
    await page.reload()
    await shown()
  }).toPass(SOON)

own(
  'a payment to the member’s own address is seen, counted and credited',
  async ({ ownPage: page, server, member, chain }) => {
    await open(page)
    const address = card(page, 'Your USDT address')
    const field = address.getByRole('textbox')
    await expect(field).toHaveValue(/^0x[0-9a-fA-F]{40}$/)
    const to = await field.inputValue()
    expect(to).not.toBe(chain.company)
    await expect(address.getByRole('img', { name: /QR code/ })).toBeVisible()
    await expect(address).toContainText(
      `We credit what you send here after ${CONFIRMATIONS} confirmations`,
    )

    const hash = await chain.pay(to, '25')
    const coming = card(page, 'Incoming payments')
    await becomes(page, () =>
      expect(coming).toContainText(/\d+ of 16 confirmations/, { timeout: 2_000 }),
    )
    await expect(coming).toContainText('$25.00')
    await expect(coming.getByTitle(hash)).toBeVisible()
    await picture(page, 'deposit-own')

    const requests = card(page, 'Fund Request USDT List').first()
    await becomes(page, () => expect(requests).toContainText(hash, { timeout: 2_000 }))
    await expect(requests).toContainText('Approved')
    await expect(coming).toHaveCount(0)
    expect(Number(await fundsOf(server, member))).toBe(25)
    await expectWhole(page)

    await page.context().addCookies([{ name: 'bifolia.language', value: 'hi', url: server.url }])
    await page.reload()
    await expect(page.getByRole('heading', { name: 'आपका USDT पता' })).toBeVisible()
    await expectWhole(page)
    await picture(page, 'deposit-own-hi')
  },
)

shared(
  'a payment is announced, paid, counted and credited; another is cancelled',
  async ({ ownPage: page, server, member, chain }) => {
    await open(page)
    const form = card(page, 'Announce a payment')
    await form.getByRole('button', { name: 'Get amount to pay' }).click()
    await expect(form.getByLabel('Fund Type')).toBeFocused()
    const pay = card(page, /Send exactly 100\.\d{2,4} USDT/)
    const announce = async (dollars: string) => {
      await form.getByLabel('Fund Type').selectOption('FUNDS')
      await form.getByLabel('Amount ($)').fill(dollars)
      await page.keyboard.press('Enter')
    }
    await announce('100')
    await expect(pay.getByRole('textbox')).toHaveValue(chain.company)
    await expect(pay.getByRole('timer')).toHaveText(/^(2:00:00|1:59:\d\d)$/)
    const [amount = ''] =
      /\d+\.\d{2,4}/.exec((await pay.getByRole('heading').textContent()) ?? '') ?? []
    // A block's time is in whole seconds: one in the same second may have been read before.
    await page.waitForTimeout(2_000)
    await chain.pay(chain.company, amount)

    const rest = card(page, 'Announced payments')
    await becomes(page, () =>
      expect(rest.getByRole('listitem')).toContainText(/\d+ of 16 confirmations/, {
        timeout: 2_000,
      }),
    )
    await expect(pay).toHaveCount(0)

    await announce('60')
    const other = card(page, /Send exactly 60\.\d{2,4} USDT/)
    await expectWhole(page)
    await picture(page, 'deposit-announced')
    await other.getByRole('button', { name: /^Cancel the payment of 60/ }).click()
    const asked = page.getByRole('dialog', { name: 'Cancel this payment?' })
    await expect(asked).toContainText('Don’t cancel if you’ve already sent the money')
    await asked.getByRole('button', { name: 'Cancel payment' }).click()
    await expect(other).toHaveCount(0)
    await expect(rest.getByRole('listitem').first()).toContainText('Expired')

    await becomes(page, () =>
      expect(rest.getByRole('listitem').last()).toContainText('Credited', { timeout: 2_000 }),
    )
    expect(Number(await fundsOf(server, member))).toBe(Number(amount))

    await announce('70')
    await expect(card(page, /Send exactly 70/)).toBeVisible()
    await page.context().addCookies([{ name: 'bifolia.language', value: 'hi', url: server.url }])
    await page.reload()
    await expect(page.getByRole('heading', { name: /ठीक इतना भेजें/ })).toBeVisible()
    await expectWhole(page)
    await picture(page, 'deposit-announced-hi')
  },
)

shared(
  'a payment that nobody announced is listed for operators',
  async ({ page, server, operator, chain }) => {
    await enter(page, { id: '', email: server.demo.operator.email, token: operator })
    await page.goto('/admin/unmatched')
    await expect(page.getByText(/No unmatched payments/)).toBeVisible()
    const hash = await chain.pay(chain.company, '33.3333')
    await becomes(page, () =>
      expect(page.getByRole('row').filter({ hasText: hash })).toContainText('Not announced', {
        timeout: 2_000,
      }),
    )
    await expectNoCutTables(page)
    await expectWhole(page)
    await picture(page, 'unmatched')
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    expect((await saved).suggestedFilename()).toMatch(/\.csv$/)
  },
)
