import { call, colleague, enter, expect, test } from './console.ts'
import { useSession } from './fixtures.ts'
import { mailed } from './mail.ts'
import { openSession } from './people.ts'

test('a complaint is answered with a template, and the member reads it', async ({
  page,
  server,
  owner,
  demo,
  browser,
}) => {
  const context = await browser.newContext({ baseURL: server.url })
  const member = await context.newPage()
  await useSession(member, await openSession(server.url, demo.ordinary))
  await member.goto('/Support')
  const words = `My deposit of 12% is missing ${Date.now()}`
  await member.getByLabel('Your Query').fill(words)
  await member.getByLabel('This is a complaint').check()
  await member.getByRole('button', { name: 'Submit' }).click()
  await expect(member.getByRole('row').filter({ hasText: words })).toContainText('open')
  await expect(member.getByLabel('This is a complaint')).not.toBeChecked()

  await enter(page, await colleague(server.url, owner, 'support'))
  await page.goto('/admin')
  await page.getByRole('link', { name: /Tickets to answer/ }).click()
  await page.getByLabel('Ticket, user ID or the start of a word').fill(words)
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.getByRole('cell', { name: 'Complaint', exact: true })).toHaveCount(1)
  await expect(page.getByRole('region', { name: 'Conversation' })).toContainText(words)
  await expect(page.getByRole('heading', { name: `Member ${demo.ordinary.id}` })).toBeVisible()
  await expect(page.getByText('First answer', { exact: true })).toBeVisible()

  const dialog = page.getByRole('dialog')
  await page.keyboard.press('m')
  await dialog.getByRole('button', { name: 'Assign to me' }).click()
  await expect(page.getByText('took the ticket')).toBeVisible()
  await page.keyboard.press('a')
  await dialog.getByLabel('Insert a template').selectOption('Complaint received')
  const answer = dialog.getByLabel(/^Answer/)
  await expect(answer).toHaveValue(/^We have received your complaint/)
  await dialog.getByLabel('Insert a template').selectOption('Deposit being checked')
  await expect(answer).toHaveValue(/^We have received.*\n\nWe are checking your deposit/)
  await dialog.getByRole('button', { name: 'Send answer' }).click()
  await expect(page.getByText('Resolution', { exact: true })).toBeVisible()
  const thread = page.getByRole('region', { name: 'Conversation' })
  await expect(thread).toContainText('We are checking your deposit')

  await member.reload()
  const row = member.getByRole('row').filter({ hasText: words })
  await expect(row).toContainText('We are checking your deposit')
  await expect(row).toContainText('replied')
  expect(await mailed(server.url, '', /(We have received your complaint)/)).not.toBe('')

  await page.keyboard.press('c')
  await expect(dialog).toContainText('A complaint counts as settled')
  await dialog.getByRole('button', { name: 'Close ticket' }).click()
  await expect(page.getByText(/No tickets match/)).toBeVisible()
  await context.close()
})

test.describe('while another operator answers', () => {
  // What was refused is logged by browsers.
  test.use({ expectedErrors: /status of 409/ })

  test('a ticket is answered once', async ({ ownerPage: page, server, owner, demo }) => {
    const { jwtToken } = await openSession(server.url, demo.ordinary)
    const query = `Only one of you, please ${Date.now()}`
    await call(server.url, 'Helpdesk_By_User', jwtToken, { uid: demo.ordinary.id, query })
    await page.goto(`/admin/tickets?q=${encodeURIComponent(query)}`)
    await expect(page.getByRole('button', { name: /^Send answer/ })).toBeVisible()
    await page.keyboard.press('a')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^Answer/).fill('Me first')
    const { data } = await call<{ data: [{ id: string; seen: number }[]] }>(
      server.url,
      `operator/tickets?q=${encodeURIComponent(query)}`,
      owner.token,
    )
    const [{ id, seen } = { id: '', seen: 0 }] = data[0]
    await call(server.url, 'operator/tickets/answer', owner.token, { id, seen, reply: 'No, me' })
    await dialog.getByRole('button', { name: 'Send answer' }).click()
    await expect(dialog.getByRole('alert')).toContainText('This ticket has changed in the meantime')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    // An answered ticket leaves the queue.
    await expect(page.getByText(/No tickets match/)).toBeVisible()
  })
})
