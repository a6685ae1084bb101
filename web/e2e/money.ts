import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { test as base, expect, useSession } from './fixtures.ts'
import { mailed } from './mail.ts'
import { signInOperator } from './operator.ts'
import { openSession, post, register, type Session } from './people.ts'
import type { Server } from './server.ts'

/** Members with money, made with the API calls of members and operators. */

export interface Member {
  id: string
  password: string
  email: string
  transactionPassword: string
  session: Session
}

interface MoneyFixtures {
  /** A new member without money, with a wallet address. */
  member: Member
  /** The page of `member`, signed in. */
  ownPage: Page
}

interface OperatorFixtures {
  /** The operator's session of this worker: a code of the authenticator is valid once. */
  operator: string
}

export const test = base.extend<MoneyFixtures, OperatorFixtures>({
  operator: [
    async ({ server }, use) => use(await signInOperator(server.url, server.demo.operator)),
    { scope: 'worker' },
  ],

  member: async ({ server }, use) => use(await newMember(server)),

  ownPage: async ({ page, member }, use) => {
    await useSession(page, member.session)
    await use(page)
  },
})

export { expect }

export async function newMember(server: Server, name = 'Nova Leaf'): Promise<Member> {
  const { id, password, email } = await register(server.url, server.demo.member.id, 'Left', name)
  const session = await openSession(server.url, { id, password })
  const transactionPassword = await chooseTransactionPassword(
    server.url,
    { id, email, password },
    session,
  )
  return { id, password, email, transactionPassword, session }
}

/** Opens the link of the welcome mail: no reset and no code is mailed before that. */
export async function confirmAddress(
  url: string,
  { id: uid, email, password }: { id: string; email: string; password: string },
): Promise<void> {
  const token = await mailed(url, email, /ConfirmEmail#confirm=([\w-]+)&/)
  await post(`${url}/api/email/confirm`, { uid, token, password })
}

/** Confirms the address; the mailed transaction password is only good for choosing another. */
export async function chooseTransactionPassword(
  url: string,
  person: { id: string; email: string; password: string },
  { jwtToken }: Session,
): Promise<string> {
  const { id: uid, email } = person
  const chosen = 'Mine4me7'
  await confirmAddress(url, person)
  const first = await mailed(url, email, /Transaction password: (\S+)/)
  const type = 'trans_password'
  const body = { uid, type, ctrans_password: first, trans_password: chosen }
  await post(`${url}/api/UpdateProfile`, body, jwtToken)
  return chosen
}

export const newHash = () => `0x${randomBytes(32).toString('hex')}`

/** The operator approves every pending request of a member. */
export async function approveFunds(server: Server, operator: string, id: string): Promise<void> {
  const proof = server.demo.operator.password
  await post(`${server.url}/api/operator/prove`, { proof }, operator)
  const waiting = async () => {
    const list = await fetch(`${server.url}/api/operator/fundRequests?state=Pending&uid=${id}`, {
      headers: { Authorization: operator },
    })
    const { data } = (await list.json()) as { data: { id: string }[][] }
    return data[0] ?? []
  }
  for (const request of await waiting()) {
    await post(`${server.url}/api/operator/fundRequests/approve`, { id: request.id }, operator)
  }
  expect(await waiting(), 'requests that still wait, for a second operator perhaps').toEqual([])
}

/** Puts money into a fund: a request and its approval. */
export async function giveFunds(
  server: Server,
  operator: string,
  { id, session }: Member,
  amount: string,
  fund = 'FUNDS',
): Promise<void> {
  await post(
    `${server.url}/api/FundRequest`,
    { uid: id, bankid: 2, amount, utrno: newHash(), usertype: 'USDT (BEP-20)', Fundtype: fund },
    session.jwtToken,
  )
  await approveFunds(server, operator, id)
}

/** The sum of a member's three funds. */
export async function fundsOf(server: Server, { id, session }: Member): Promise<string> {
  const response = await fetch(`${server.url}/api/getIncomeAmount?sid=${id}&type=FundBalance`, {
    headers: { Authorization: session.jwtToken },
  })
  const { data } = (await response.json()) as { data: { result: string } }
  return data.result
}

export const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

/** A wallet belongs to one member: each gets a new address, which is returned. */
export async function setWallet(server: Server, member: Member): Promise<string> {
  const wallet = `0x${member.id.padStart(40, '1')}`
  await post(
    `${server.url}/api/UpdateProfile`,
    {
      uid: member.id,
      type: 'ecurrency',
      accountaddress: wallet,
      ctrans_password: member.transactionPassword,
    },
    member.session.jwtToken,
  )
  return wallet
}

const main = (page: Page) => page.getByRole('main')

/** Presses a button of the screen, and the button of the same name in the dialog. */
export async function confirmBy(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).last().click()
  const asked = page.getByRole('dialog', { name: 'Please confirm' })
  await asked.getByRole('button', { name: /^Confirm \$/ }).click()
}

/** A form's checks show one error after the other, each as a toast and at its field. */
export async function expectRefused(page: Page, button: string, text: string): Promise<void> {
  await main(page)
    .or(page.getByRole('dialog'))
    .getByRole('button', { name: button, exact: true })
    .last()
    .click()
  await expect(page.getByText(text, { exact: true }).first()).toBeVisible()
}
