import { approved, expect, officeTest } from './console.ts'
import { picture } from './picture.ts'

const test = officeTest(['--withdraw-two-above=0'])
test.use({ expectedErrors: /./, accessibleAtEnd: false })

const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const hold = {
  ...{ held: true, id: 1, state: 'held', cause: 'restore', detail: 'On 19 Nov 2026 the database was restored from a backup that was made on 18 Nov 2026, 21:04 UTC at batch 4711.' },
  ...{ at: '2026-11-19T02:00:00Z', since: '2026-11-18T21:04:00Z', until: 7, final: 7, latest: 7 },
  ...{ pending: 7, known: 5, unknown: false, digest: 'ab'.repeat(32), payload: '{"hold":1,"found":[{"n":1}]}', alone: '', begunBy: '' },
  ...{ firstBy: 'Finance', reason: '', liftedAt: '', liftedBy: '', waiting: [] },
}
const found = [1, 2, 3].map((n) => ({
  ...{ n, withdrawal: n === 3 ? '' : `10000${n}`, amount: '13.720000', own: n === 1, dismissed: '', to: address },
  ...{ from: address, hash: `0x${'ab'.repeat(32)}`, block: 41_234_561 },
}))

for (const lang of ['en', 'hi']) {
  test(`pictures ${lang}`, async ({ ownerPage: page, server, owner }) => {
    test.setTimeout(180_000)
    await page.context().addCookies([{ name: 'bifolia.language', value: lang, url: server.url }])
    let state = 'held'
    await page.route('**/api/operator/payouts/hold', (route) =>
      route.fulfill({ json: { data: { ...hold, state, found: state === 'held' ? [] : found } } }),
    )
    await page.goto('/admin/payouts')
    await page.waitForTimeout(1500)
    await page.screenshot({ path: '/tmp/c/pic/x.png' })
    const held = page.getByRole('region').filter({ hasText: hold.detail }).last()
    await held.getByRole('button').nth(1).click()
    await page.waitForTimeout(600)
    await picture(page, `zz-settle-${lang}`)
    await page.keyboard.press('Escape')
    state = 'settled'
    await page.reload()
    await page.waitForTimeout(1500)
    await picture(page, `zz-hold-${lang}`)
    await held.getByRole('button').nth(1).click()
    await page.waitForTimeout(600)
    await picture(page, `zz-adopt-${lang}`)
    await page.unroute('**/api/operator/payouts/hold')
    await page.setViewportSize({ width: 1440, height: 900 })
    if (lang === 'en') await approved(server.url, owner)
    await page.route('**/api/operator/payouts/batch?*', async (route) => {
      const answer = await route.fetch()
      const json = await answer.json()
      json.data.byHand = { amount: '13.720000', operators: [{ names: 'operator@example.test, finance1x17950624@example.test', amount: '10.000000' }, { names: 'finance2@example.test', amount: '3.720000' }] }
      json.data.rows[0].note = 'Too little in the wallet: 12.00 USDT of 13.72.'
      json.data.rows[0].hash = `0x${'ab'.repeat(32)}`
      json.data.rows[0].sent_at = '2026-11-19T02:00:00Z'
      await route.fulfill({ json })
    })
    await page.reload()
    await page.waitForTimeout(1500)
    if (lang === 'en') {
      await page.getByRole('button', { name: 'Make a batch of all' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Make a batch' }).click()
      await expect(page.getByRole('heading', { name: 'Batch 1' })).toBeVisible()
    }
    await page.waitForTimeout(1000)
    await picture(page, `zz-batch-${lang}`)
    const batch = page.getByRole('region').filter({ hasText: /operator@example.test, finance1/ }).last()
    await batch.getByRole('button').first().click()
    await page.waitForTimeout(600)
    await picture(page, `zz-batch-approve-${lang}`)
    await page.goto('/admin/withdrawals?state=all')
    await page.waitForTimeout(1500)
    await picture(page, `zz-withdrawals-${lang}`)
  })
}
