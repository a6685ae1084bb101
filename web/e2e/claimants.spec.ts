import { expectNoCutTables, expectWhole } from './checks.ts'
import { enter } from './console.ts'
import { expect, newHash, newMember, test } from './money.ts'
import { post } from './people.ts'
import { picture } from './picture.ts'

// The browser logs the refusal that asks for a proof.
test.use({ expectedErrors: /403/ })

test('one of several claims to a transaction number is credited', async ({
  page,
  server,
  operator,
}) => {
  test.setTimeout(240_000)
  const { demo } = server
  const utrno = newHash()
  const payer = await newMember(server, 'Paula Payer')
  const other = await newMember(server, 'Theo Taker')
  for (const { id, session } of [other, payer]) {
    await post(
      `${server.url}/api/FundRequest`,
      { uid: id, bankid: 2, amount: '40', utrno, usertype: 'USDT (BEP-20)', Fundtype: 'FUNDS' },
      session.jwtToken,
    )
  }
  await post(`${server.url}/api/operator/prove`, { proof: demo.operator.password }, operator)
  await enter(page, { id: '', email: demo.operator.email, token: operator })
  await page.goto(`/admin/funds?uid=${payer.id}`)
  const claims = page.getByRole('region', { name: 'All requests with this number' }).first()
  await expect(claims).toContainText(payer.id)
  await expect(claims).toContainText(other.id)
  await expectNoCutTables(page)
  await expectWhole(page)
  await picture(page, 'claimants')
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('The other request with this number is rejected.')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect(dialog).toHaveCount(0)

  await page.goto(`/admin/funds?uid=${other.id}&state=Rejected`)
  await expect(claims.getByText('Approved')).toBeVisible()
  await page.getByRole('button', { name: /Release number/ }).click()
  await dialog.getByLabel('Reason').fill('told us of another payment')
  await dialog.getByRole('button', { name: 'Release number' }).click()
  await expect(page.getByText('Number released.')).toBeVisible()
})

test('the list of deposit addresses is exported', async ({ page, server, operator }) => {
  const { demo } = server
  await post(`${server.url}/api/operator/prove`, { proof: demo.operator.password }, operator)
  await enter(page, { id: '', email: demo.operator.email, token: operator })
  await page.goto('/admin/payouts')
  for (const format of ['CSV', 'XLSX']) {
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: `Download deposit addresses as ${format}` }).click()
    expect((await saved).suggestedFilename()).toMatch(/^deposit-addresses-.*\.(csv|xlsx)$/)
  }
  await expectWhole(page)
  await picture(page, 'sweep')
})
