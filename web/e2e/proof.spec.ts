import { expectWhole } from './checks.ts'
import { colleague, enter, expect, PASSWORD, test } from './console.ts'
import { PAST_MIDNIGHT_MS } from './noon.ts'
import { register } from './people.ts'

// The browser logs the refusals that ask for a proof.
test.use({ expectedErrors: /40[03]|422/ })

test('a sensitive action asks for a proof and then continues under its idempotency key', async ({
  page,
  server,
  owner,
  demo,
}) => {
  test.setTimeout(180_000)
  const person = await register(server.url, demo.ordinary.id, 'Left', 'Person Proven')
  const officer = await colleague(server.url, owner, 'compliance', PAST_MIDNIGHT_MS, false)
  await enter(page, officer)
  const sent: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/operator/block')) sent.push(request.headers()['idempotency-key'])
  })
  await page.goto(`/admin/member?uid=${person.id}`)
  await page.getByRole('button', { name: 'Block member', exact: true }).click()
  const act = page.getByRole('dialog', { name: 'Block this member?' })
  await act.getByRole('textbox').fill('an odd payment')
  await act.getByRole('button', { name: 'Block member' }).click()

  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
  const field = proof.getByLabel('Your password, or a code from your app')
  await expect(field).toBeFocused()
  await expectWhole(page)
  await page.keyboard.type('not-the-password')
  await page.keyboard.press('Enter')
  await expect(proof.getByText('The password, the code or the passkey is wrong')).toBeVisible()
  expect(sent).toHaveLength(1)

  // Without a proof the dialog shows an error and nothing is changed.
  await page.keyboard.press('Escape')
  await expect(proof).toHaveCount(0)
  await expect(act.getByRole('alert')).toContainText('Confirm your identity')
  await act.getByRole('button', { name: 'Block member' }).click()
  await expect(field).toBeFocused()
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Unblock member', exact: true })).toBeVisible()
  expect(sent).toHaveLength(3)
  expect(sent[1]).toBe(sent[2])
})

test('the proof is asked for in Hindi', async ({ page, server, owner, demo }) => {
  const person = await register(server.url, demo.ordinary.id, 'Right', 'Person Asked')
  await page.context().addCookies([{ name: 'bifolia.language', value: 'hi', url: server.url }])
  await enter(page, await colleague(server.url, owner, 'compliance', PAST_MIDNIGHT_MS, false))
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`/admin/member?uid=${person.id}`)
  await page.getByRole('button', { name: 'अवरुद्ध करें', exact: true }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('an odd payment')
  await page.getByRole('dialog').getByRole('button', { name: 'अवरुद्ध करें' }).click()
  await expect(page.getByRole('dialog', { name: 'पुष्टि करें कि आप ही हैं' })).toBeVisible()
})
