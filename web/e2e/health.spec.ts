import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectWhole } from './checks.ts'
import { enter, expect, openHealth, test } from './console.ts'
import { useSession as signIn } from './fixtures.ts'
import { approveFunds, confirmBy, newHash } from './money.ts'
import { signInOperator } from './operator.ts'
import { openSession, post, register } from './people.ts'
import { picture } from './picture.ts'
import { type Server, startEmpty } from './server.ts'

const SETTINGS = ['--demo-history=false', '--auto-close=false']

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test("the console's home shows health and liabilities", async ({ ownerPage: page }) => {
  await page.goto('/admin')
  await openHealth(page)
  await expect(card(page, 'Closes')).toContainText('Not over yet')
  await expect(card(page, 'Ledger')).toContainText('Running')
  await expect(card(page, 'Ledger')).toContainText(/Last checked\d\d \w{3} \d{4}, \d\d:\d\d/)
  await expect(card(page, 'Mail')).toContainText(/In the queue\d+/)
  await expect(card(page, 'Blockchain')).toContainText('Off: no nodes configured')
  await expect(card(page, 'Disk')).toContainText(/Database size[\d.]+ MB/)
  await expect(card(page, 'Disk')).toContainText('Enough')
  await expect(card(page, 'Owed to members')).toContainText('Robot Fund')
  await expect(card(page, 'Pools and reserves')).toContainText('Pool · Matching')
  await expect(page.getByRole('main')).not.toContainText(/FUNDS|binaryIncome|CRYPTO/)
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test.describe('a proxy that is not trusted', () => {
  test('is shown with its address and its last request', async ({ page }) => {
    const server = await startEmpty(SETTINGS)
    try {
      const token = await signInOperator(server.url, server.demo.operator)
      await enter(page, { id: '', email: server.demo.operator.email, token })
      await page.goto(`${server.url}/admin`)
      await openHealth(page)
      const way = card(page, 'Network access')
      await expect(way).toContainText('ProxyOK')
      await expect(way).not.toContainText('Proxy address')

      await fetch(`${server.url}/healthz`, { headers: { 'X-Forwarded-For': '192.0.2.1' } })
      await page.reload()
      await expect(way).toContainText('ProxyNot trusted')
      await expect(way).toContainText('Proxy address127.0.0.1')
      await expect(way).toContainText(/Last request through it\d\d \w{3} \d{4}, \d\d:\d\d/)
      await expect(page.getByRole('alert').filter({ hasText: 'trusted_proxies' })).toBeVisible()
      await expectWhole(page)
      await picture(page, 'health-proxy-en')

      await page.context().addCookies([{ name: 'bifolia.language', value: 'hi', url: server.url }])
      await page.reload()
      const hindi = card(page, 'सर्वर तक पहुँच')
      await expect(hindi).toContainText('प्रॉक्सी का पता127.0.0.1')
      await expect(hindi).toContainText(/उसका पिछला अनुरोध.*\d{4}, \d\d:\d\d/)
      await picture(page, 'health-proxy-hi')
      await page.close()
    } finally {
      await server.stop()
    }
  })
})

/** Simulates a rewritten ledger: the anchor file has another hash of its end. */
async function rewriteTheEnd(folder: string) {
  const path = join(folder, 'bifolia.db.anchor')
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
  const last = JSON.parse(lines.pop() ?? '') as { hash: string }
  lines.push(JSON.stringify({ ...last, hash: 'ab'.repeat(32) }))
  await writeFile(path, `${lines.join('\n')}\n`)
}

/** A member with 500 dollars and a receiver for them, while the ledger is broken. */
async function frozen(): Promise<{ server: Server; other: string }> {
  const server = await startEmpty(SETTINGS)
  const { url, demo } = server
  const { id } = demo.member
  const { jwtToken } = await openSession(url, demo.member)
  const other = await register(url, id, 'Left', 'Nova Leaf')
  const request = { uid: id, bankid: 2, amount: '500', utrno: newHash(), Fundtype: 'FUNDS' }
  await post(`${url}/api/FundRequest`, { ...request, usertype: 'USDT (BEP-20)' }, jwtToken)
  await approveFunds(server, await signInOperator(url, demo.operator), id)
  return { server: await server.again(SETTINGS, rewriteTheEnd), other: other.id }
}

async function transfer(page: Page, { url, demo }: Server, to: string) {
  await signIn(page, await openSession(url, demo.member))
  await page.goto(`${url}/FundTransfer`)
  await page.getByRole('button', { name: 'Fund Transfer' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('To UserId').fill(to)
  await form.getByLabel('Wallet Type').selectOption('Robot Fund')
  await form.getByLabel('Amount ($)').fill('100')
  await form
    .getByLabel('Transaction Password', { exact: true })
    .fill(demo.member.transactionPassword)
  await confirmBy(page, 'Fund Transfer')
}

test.describe('a ledger that is wrong', () => {
  test.use({ expectedErrors: /status of 4\d\d/ })

  test('freezes payments and is shown on every page of the console', async ({ page, browser }) => {
    const { server, other } = await frozen()
    try {
      await enter(page, {
        id: '',
        email: server.demo.operator.email,
        token: await signInOperator(server.url, server.demo.operator),
      })
      await page.goto(`${server.url}/admin`)
      const banner = page.getByRole('alert').filter({ hasText: 'Payments are frozen' })
      await expect(banner.first()).toContainText('bifolia verify --thaw')
      await expect(card(page, 'Ledger')).toContainText('Frozen')
      await expectWhole(page)
      await page.goto(`${server.url}/admin/funds`)
      await expect(banner).toContainText('The reconciliation found')

      const context = await browser.newContext()
      const theirs = await context.newPage()
      await transfer(theirs, server, other)
      await expect(
        theirs.getByText('Payments are frozen while the books are checked.').first(),
      ).toBeVisible()
      await context.close()
      await page.close()
    } finally {
      await server.stop()
    }
  })
})
