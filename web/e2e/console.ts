import type { Page } from '@playwright/test'
import { test as base } from './fixtures.ts'
import { mailed } from './mail.ts'
import { livingAhead, PAST_MIDNIGHT_MS } from './noon.ts'
import { type Demo, type Server, startServer } from './server.ts'
import { nextCode } from './totp.ts'

/** A server with a small demo's history, and its operators. */

export interface Operator {
  id: string
  email: string
  token: string
  /** The secret of the authenticator app, if a test has set one. */
  secret?: string
}

export async function call<Answer>(
  url: string,
  path: string,
  token: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(`${url}/api/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      'Content-Type': 'application/json',
      'Idempotency-Key': crypto.randomUUID(),
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (response.status === 403 && passwords.has(token) && path !== 'operator/prove') {
    if ((await response.clone().text()).includes('"session.proof_required"')) {
      await prove(url, token)
      return call(url, path, token, body)
    }
  }
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Answer
}

interface LoginAnswer {
  data: { result: string; resultid?: string }
  token?: string
}

/** The passwords of the operators that signed in here, by token. */
const passwords = new Map<string, string>()

/** Proves the operator's identity, for the calls of the next minutes that need it. */
export async function prove(url: string, token: string): Promise<void> {
  await call(url, 'operator/prove', token, { proof: passwords.get(token) })
}

async function signIn(url: string, email: string, password: string, code: string) {
  const { data, token } = await call<LoginAnswer>(url, 'operator/login', '', {
    email,
    password,
    code,
  })
  if (!token) throw new Error(`${email} could not sign in: ${data.result}`)
  passwords.set(token, password)
  if (code !== '') await prove(url, token)
  return { id: data.resultid ?? '', email, token }
}

export const PASSWORD = 'correct-horse-7'
let invited = 0

/** Invites an operator and follows the mailed link; the password is PASSWORD. */
export async function invite(url: string, owner: Operator, role: string) {
  invited += 1
  const email = `${role}${invited}x${Date.now()}@example.test`
  const { data } = await call<{
    data: { operator: string; proposal?: { id: string; digest: string; state: string } }
  }>(url, 'operator/invite', owner.token, {
    email,
    name: `The ${role} ${invited}`,
    role,
    reason: 'somebody has to do it',
  })
  if (data.proposal?.state === 'waiting') {
    const { id, digest } = data.proposal
    await call(url, 'operator/proposals/decide', owner.token, { id, digest, approve: true })
  }
  const link = new RegExp(`operator=${data.operator}&token=([A-Za-z0-9%_-]+)`)
  const token = decodeURIComponent(await mailed(url, email, link))
  await call(url, 'operator/accept', '', { operator: data.operator, token, password: PASSWORD })
  return email
}

/** Signs an operator with a second factor in. */
export async function colleague(
  url: string,
  owner: Operator,
  role: string,
  aheadMs = PAST_MIDNIGHT_MS,
  proved = true,
): Promise<Operator> {
  const email = await invite(url, owner, role)
  const operator = await signIn(url, email, PASSWORD, '')
  const { data } = await call<{ data: { secret: string } }>(
    url,
    'operator/factor/begin',
    operator.token,
    {},
  )
  const code = await nextCode(data.secret, aheadMs)
  await call(url, 'operator/factor/confirm', operator.token, { code })
  if (proved) await prove(url, operator.token)
  return { ...operator, secret: data.secret }
}

/** Signs a tab in to the console before it opens its first page. */
export async function enter(page: Page, { id, email, token }: Operator): Promise<void> {
  const session = { isAuth: true, userId: id, username: email, jwtToken: token, ipAddress: '' }
  await page.addInitScript((stored) => {
    if (sessionStorage.getItem('bifolia.operator') === null) {
      sessionStorage.setItem('bifolia.operator', stored)
    }
  }, JSON.stringify(session))
}

interface Withdrawals {
  data: [{ id: string; ready: string; batch: string; digest: string }[]]
}

/** A payable withdrawal: approved by one operator, and above the limit by another too. */
export async function approved(url: string, owner: Operator) {
  const pending = async () => {
    const path = 'operator/withdrawals?state=Pending&sort=id'
    return (await call<Withdrawals>(url, path, owner.token)).data[0]
  }
  const one = (await pending()).find(({ ready }) => new Date(ready) < new Date())
  if (!one) throw new Error('The demo has no withdrawal that may leave')
  await call(url, 'operator/withdrawals/approve', owner.token, { id: one.id })
  const waits = (await pending()).find(({ id }) => id === one.id)
  if (waits) {
    const { token } = await colleague(url, owner, 'finance')
    const { id, digest } = waits
    await call(url, 'operator/withdrawals/approve', token, { id, digest })
  }
  return one
}

interface WorkerFixtures {
  demo: Demo
  server: Server
  owner: Operator
}

interface Office {
  /** The size of the demo's history. */
  size?: readonly string[]
  /** How far the server's clock is ahead of this machine's. */
  aheadMs?: number
}

/** Tests with their own server and settings, which no other file shares. */
export const officeTest = (
  settings: readonly string[],
  { size, aheadMs = PAST_MIDNIGHT_MS }: Office = {},
) =>
  base.extend<{ ownerPage: Page }, WorkerFixtures>({
    server: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from here
      async ({}, use) => {
        // The operators close the days, not the scheduler.
        const ahead = livingAhead(aheadMs)
        const server = await startServer(['--auto-close=false', ...ahead, ...settings], size)
        await use(server)
        await server.stop()
      },
      { scope: 'worker', timeout: 90_000 },
    ],
    demo: [async ({ server }, use) => use(server.demo), { scope: 'worker' }],
    owner: [
      async ({ server, demo }, use) => {
        const { email, password, secret } = demo.operator
        await use(await signIn(server.url, email, password, await nextCode(secret, aheadMs)))
      },
      { scope: 'worker' },
    ],
    ownerPage: async ({ page, owner, server }, use) => {
      await prove(server.url, owner.token)
      await enter(page, owner)
      await use(page)
    },
  })

/** The server that most console tests share: every withdrawal needs two operators. */
export const test = officeTest(['--withdraw-two-above=0'])

/** Every page of the console that needs no more than its address. */
export const PAGES = [
  '/admin',
  '/admin/funds?state=all',
  '/admin/unmatched',
  '/admin/withdrawals?state=all',
  '/admin/payouts',
  '/admin/claims?state=all',
  '/admin/tickets?state=all',
  '/admin/close',
  '/admin/trading',
  '/admin/members?q=dan',
  // Rows are alike: in weeks there are fewer to look at.
  '/admin/reports?bucket=week',
  '/admin/reports?kind=retention',
  '/admin/plan',
  '/admin/brand',
  '/admin/settings',
  '/admin/operators',
  '/admin/audit',
  '/admin/password',
  '/admin/passkeys',
  '/admin/sessions',
]

export { expect } from './fixtures.ts'

/** Unfolds the health of the console's home, which is one line when all is well. */
export async function openHealth(page: Page): Promise<void> {
  const summary = page.locator('summary', { hasText: /^(All systems|Some of these)/ })
  await page
    .locator('details')
    .filter({ has: summary })
    .evaluate((details: HTMLDetailsElement) => {
      details.open = true
    })
}
