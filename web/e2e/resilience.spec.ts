import type { Locator, Page } from '@playwright/test'
import { expectNoSidewaysScroll } from './checks.ts'
import { useSession as signIn } from './fixtures.ts'
import { confirmBy, expect, fundsOf, giveFunds, type Member, newMember, test } from './money.ts'
import { openSession, register } from './people.ts'
import type { Server } from './server.ts'

/** Screens under failing networks, reloads and logins of other members. */

const draftsIn = (page: Page) =>
  page.evaluate(() =>
    Object.entries(sessionStorage).filter(([key]) => key.startsWith('bifolia.draft.')),
  )

/** The server ends every session of a member, as at its expiry. */
const endSession = (server: Server, token: string) =>
  fetch(`${server.url}/api/logout`, { method: 'POST', headers: { Authorization: token } })

async function logIn(page: Page, { id, password }: Pick<Member, 'id' | 'password'>) {
  await expect(page).toHaveURL(/\/Login$/)
  await page.getByLabel('User ID').fill(id)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
}

const tokenIn = (page: Page) =>
  page.evaluate(() => JSON.parse(sessionStorage.getItem('bifolia.session') ?? '{}').jwtToken)

/** Through the menu, without a reload. */
async function open(page: Page, section: string, link?: string) {
  const menu = page.getByRole('navigation', { name: 'Member menu' })
  if (link === undefined) {
    await menu.getByRole('link', { name: section, exact: true }).click()
    return
  }
  await menu.getByRole('button', { name: section, exact: true }).click()
  await menu.getByRole('link', { name: link, exact: true }).click()
}

const transferOf = (page: Page) => page.getByRole('dialog', { name: 'Fund Transfer' })

async function fillTransfer(dialog: Locator, to: string, password: string) {
  await dialog.getByLabel('To UserId').fill(to)
  await dialog.getByLabel('Wallet Type').selectOption('Robot Fund')
  await dialog.getByLabel('Amount ($)').fill('30')
  await dialog.getByLabel('Transaction Password', { exact: true }).fill(password)
}

test.describe('a session that ends in the middle of a form', () => {
  test.use({ expectedErrors: /status of 401/, viewport: { width: 1440, height: 900 } })

  test('keeps the input except secrets, for the same member only', async ({
    ownPage: page,
    member,
    operator,
    server,
  }) => {
    await giveFunds(server, operator, member, '100')
    const receiver = await newMember(server, 'Rina Receiver')
    await page.goto('/FundTransfer')
    await page.getByRole('button', { name: 'Fund Transfer', exact: true }).click()
    const dialog = transferOf(page)
    await fillTransfer(dialog, receiver.id, member.transactionPassword)
    await endSession(server, member.session.jwtToken)
    await confirmBy(page, 'Fund Transfer')
    await expect(page).toHaveURL(/\/Login$/)
    const kept = await draftsIn(page)
    expect(kept.map(([key]) => key)).toEqual(['bifolia.draft.FundTransfer'])
    expect(JSON.stringify(kept)).not.toContain(member.transactionPassword)
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toHaveLength(1)

    await logIn(page, member)
    await expect(page.getByText(/were signed out. Open the page again/)).toBeVisible()
    await open(page, 'Fund', 'Fund Transfer')
    await expect(dialog.getByText(/restored what you entered/)).toBeVisible()
    await expect(dialog.getByLabel('To UserId')).toHaveValue(receiver.id)
    await expect(dialog.getByLabel('Amount ($)')).toHaveValue('30')
    const password = dialog.getByLabel('Transaction Password', { exact: true })
    await expect(password).toHaveValue('')
    await password.fill(member.transactionPassword)
    await confirmBy(page, 'Fund Transfer')
    await expect(page.getByText('Fund Transfered Successfully')).toBeVisible()
    expect(await fundsOf(server, receiver)).toBe('30.000000')
    expect(await draftsIn(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Done' }).click()

    // Another member signs in: the draft is deleted.
    await open(page, 'Support')
    await page.getByLabel('Your Query').fill('Only for my eyes')
    await endSession(server, await tokenIn(page))
    await page.getByRole('button', { name: 'Submit' }).click()
    await logIn(page, receiver)
    expect(await draftsIn(page)).toEqual([])
    await open(page, 'Support')
    await expect(page.getByLabel('Your Query')).toHaveValue('')

    // A log-out deletes the draft.
    await page.getByLabel('Your Query').fill('Never mind')
    await page.getByRole('navigation', { name: 'Member menu' }).getByText('Log Out').click()
    await expect(page).toHaveURL(/\/$/)
    expect(await page.evaluate(() => sessionStorage.length + localStorage.length)).toBe(0)
  })
})

test('a reload and the Back button keep the input except secrets', async ({
  ownPage: page,
  member,
}) => {
  const typed: [path: string, fields: Record<string, string>, secret?: string][] = [
    ['/Support', { 'Your Query': 'Where is my money?' }],
    ['/FundRequestECurrency', { 'Amount ($)': '25', 'TRX number': '0xabc' }],
    ['/WithdrawalRequest', { 'Amount ($)': '12' }],
    ['/ProfileSetting', { 'Father/Husband Name': 'Fritz Father' }, 'Transaction Password'],
    ['/ECurrencyDetails', { 'USDT Address (BEP-20)': '0x12' }, 'Transaction Password'],
    ['/RobotActivation', { 'User Id': '100001' }, 'Transaction Password'],
    ['/Signup?userid=100001', { 'User Name': 'Nora New', Email: 'nora@mail.example' }, 'Password'],
  ]
  for (const [path, fields, secret] of typed) {
    await test.step(path, async () => {
      await page.goto(path)
      const main = page.getByRole('main')
      if (path === '/ProfileSetting') await page.getByRole('tab', { name: 'Settings' }).click()
      for (const [label, text] of Object.entries(fields)) {
        await main.getByLabel(label, { exact: true }).fill(text)
      }
      if (secret) await main.getByLabel(secret, { exact: true }).fill(member.password)
      await page.reload()
      const here = async () => {
        for (const [label, text] of Object.entries(fields)) {
          await expect(main.getByLabel(label, { exact: true })).toHaveValue(text)
        }
        if (secret) await expect(main.getByLabel(secret, { exact: true })).toHaveValue('')
      }
      await here()
      await page.goto('/MyReferral')
      await page.goBack()
      await here()
    })
  }
  expect(JSON.stringify(await draftsIn(page))).not.toContain(member.password)
  await page.goto('/Support')
  await page.getByRole('button', { name: 'Discard draft' }).click()
  await expect(page.getByLabel('Your Query')).toHaveValue('')
  // Another sign-up link has another sponsor.
  await page.goto('/Signup?userid=100002')
  await expect(page.getByLabel('User Name', { exact: true })).toHaveValue('')
})

test('on a slow network, double clicks and reloads make one transfer', async ({
  ownPage: page,
  member,
  operator,
  server,
}) => {
  await giveFunds(server, operator, member, '100')
  const receiver = await newMember(server, 'Rina Receiver')
  const network = await page.context().newCDPSession(page)
  await page.goto('/dashboard')
  await page.goto('/FundTransfer')
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 800,
    downloadThroughput: 50_000,
    uploadThroughput: 20_000,
  })
  let sent = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/FundTransferToUser')) sent += 1
  })
  await page.getByRole('button', { name: 'Fund Transfer', exact: true }).click()
  const dialog = transferOf(page)
  await fillTransfer(dialog, receiver.id, member.transactionPassword)
  await dialog.getByRole('button', { name: 'Fund Transfer', exact: true }).click()
  const asked = page.getByRole('dialog', { name: 'Please confirm' })
  await asked.getByRole('button', { name: /^Confirm/ }).dblclick()
  await expect(asked.getByRole('button', { name: 'Processing..' })).toBeDisabled()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Fund Transfered Successfully')).toBeVisible()
  expect(sent).toBe(1)

  // The next draft survives a reload and the Back button.
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Fund Transfer', exact: true }).click()
  await fillTransfer(dialog, receiver.id, member.transactionPassword)
  const arrived = new Promise<void>((resolve) => {
    void page.route('**/api/FundTransferToUser', async (route) => {
      await route.fetch()
      resolve()
    })
  })
  await confirmBy(page, 'Fund Transfer')
  await arrived
  await network.detach()
  // Held until the page is gone: when nothing holds it, the request continues and is answered.
  await page.reload()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await expect(page.getByRole('row').filter({ hasText: receiver.id })).toHaveCount(2)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard')
  await page.goForward()
  await expect(page.getByRole('row').filter({ hasText: receiver.id })).toHaveCount(2)
  expect(await fundsOf(server, member)).toBe('40.000000')
  await expect(dialog.getByText(/don’t know whether this went through/)).toBeVisible()

  // A retry of an unanswered request is processed once; sending it once more is a second request.
  for (const left of ['40.000000', '10.000000']) {
    // The form is open already, with its draft.
    if (left !== '40.000000') {
      await page.getByRole('button', { name: 'Fund Transfer', exact: true }).click()
    }
    await fillTransfer(dialog, receiver.id, member.transactionPassword)
    await confirmBy(page, 'Fund Transfer')
    await expect(page.getByText('Fund Transfered Successfully').last()).toBeVisible()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(dialog).toBeHidden()
    expect(await fundsOf(server, member)).toBe(left)
  }
})

test('two tabs have two sessions, and log out separately', async ({
  ownPage: page,
  member,
  server,
  context,
}) => {
  const other = await newMember(server, 'Otto Other')
  const second = await context.newPage()
  await signIn(second, other.session)
  await page.goto('/ProfileSetting')
  await second.goto(`${server.url}/ProfileSetting`)
  await expect(page.getByRole('main').getByText(member.id, { exact: true })).toBeVisible()
  await expect(second.getByRole('main').getByText(other.id, { exact: true })).toBeVisible()
  await second.setViewportSize({ width: 1440, height: 900 })
  await second.getByRole('navigation', { name: 'Member menu' }).getByText('Log Out').click()
  await expect(second.getByRole('heading', { level: 1 })).toContainText('Empower')
  await page.reload()
  await expect(page.getByRole('main').getByText(member.id, { exact: true })).toBeVisible()
  await expect(page.getByRole('main').getByText(other.id, { exact: true })).toHaveCount(0)
  await second.close()
})

/** Right-to-left names with marks and without spaces, twenty characters each. */
const NAMES = ['عبدالرحمن بن محمد', 'श्रीमती ज्योत्स्ना', 'Donaudampfschifffahr']

test('names of any script and length fit on dashboard, tree and lists', async ({
  page,
  server,
}) => {
  const { demo, url } = server
  const own = await register(url, demo.member.id, 'Right', NAMES[0] ?? '')
  await register(url, own.id, 'Left', NAMES[1] ?? '')
  await register(url, own.id, 'Right', NAMES[2] ?? '')
  await signIn(page, await openSession(url, own))
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    for (const path of ['/dashboard', '/MyReferral', '/MyTeam', '/Tree_View', '/ProfileSetting']) {
      await test.step(`${path} at ${width}`, async () => {
        await page.goto(path)
        const shown = path === '/ProfileSetting' ? NAMES.slice(0, 1) : NAMES.slice(1)
        const main = page.getByRole('main')
        if (path === '/dashboard') await main.getByText('Show all figures').click()
        for (const name of shown) {
          if (path === '/Tree_View') {
            await expect(page.getByRole('treeitem', { name: new RegExp(name) })).toBeVisible()
          } else {
            await expect(main.getByText(name).first()).toBeVisible()
          }
        }
        await expectNoSidewaysScroll(page)
      })
    }
  }
})
