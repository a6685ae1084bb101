import { readFile } from 'node:fs/promises'
import { expectWhole } from './checks.ts'
import { call, colleague, enter, expect, test } from './console.ts'

interface Answer {
  data: { tables: { name: string; total: string[] }[] }
}

const TABS = [
  'Revenue',
  'Payouts',
  'Members',
  'Retention',
  'Leg balance',
  'Retail share',
  'Concentration',
  'Income disclosure',
  'Coverage',
]

test('reports work by keyboard, keep their address and are exported', async ({
  ownerPage: page,
  server,
  owner,
}) => {
  test.setTimeout(120_000)
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Reports' }).click()
  await expect(page.getByRole('tab', { name: 'Revenue' })).toHaveAttribute('aria-selected', 'true')
  const { data } = await call<Answer>(server.url, 'operator/reports?kind=revenue', owner.token)
  const net = Number(data.tables[0]?.total.at(-1))
  expect(net).toBeGreaterThan(0)
  const written = net.toLocaleString('en-US', { minimumFractionDigits: 2 })
  const total = page.getByRole('row', { name: /Total/ })
  await expect(total).toContainText(`$${written}`)
  await expect(page.getByRole('figure', { name: /^Net over time/ })).toBeVisible()

  // A preset period is in the address and survives a reload.
  await page.getByRole('button', { name: '12 months' }).click()
  await expect(page).toHaveURL(/from=.*bucket=week|bucket=week.*from=/)
  await page.reload()
  await expect(page.getByRole('button', { name: '12 months', pressed: true })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Week of' })).toBeVisible()

  await page.getByRole('tab', { name: 'Revenue' }).focus()
  for (const name of TABS.slice(1)) {
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('tab', { name })).toHaveAttribute('aria-selected', 'true')
    const panel = page.getByRole('tabpanel', { name })
    await expect(panel.getByRole('heading', { level: 2 }).first()).toBeVisible()
    await expect(panel.getByRole('table').or(panel.getByRole('definition')).first()).toBeVisible()
    // A history of twenty days may contain no complete month.
    if (name !== 'Retention') await expect(panel.getByRole('figure').first()).toBeVisible()
  }
  await expect(page).toHaveURL(/kind=coverage/)

  for (const format of ['CSV', 'XLSX'] as const) {
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: `As of the last close: Export as ${format}` }).click()
    const file = await saved
    expect(file.suggestedFilename()).toMatch(/^report-coverage-classes-.*\.(csv|xlsx)$/)
    const text = (await readFile(await file.path())).toString('latin1')
    expect(text).toContain(format === 'CSV' ? 'Deposits' : 'PK')
  }
  // The printed page has the figures and no buttons.
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('tablist')).toBeHidden()
  await expect(page.getByRole('navigation', { name: 'Console menu' })).toBeHidden()
  await expect(page.getByRole('table').first()).toBeVisible()
  await page.emulateMedia({ media: 'screen' })
  for (const kind of ['legs', 'concentration', 'payouts']) {
    await page.goto(`/admin/reports?kind=${kind}`)
    await expect(page.getByRole('table').first()).toBeVisible()
    await expectWhole(page)
  }
})

test.describe('without the right', () => {
  test.use({ expectedErrors: /status of 403/ })

  test('support sees no reports', async ({ page, server, owner }) => {
    await enter(page, await colleague(server.url, owner, 'support'))
    await page.goto('/admin/reports')
    await expect(page.getByText(/don’t have access/)).toBeVisible()
    const menu = page.getByRole('navigation', { name: 'Console menu' })
    await expect(menu.getByRole('link', { name: 'Members' })).toBeVisible()
    await expect(menu.getByRole('link', { name: 'Reports' })).toHaveCount(0)
  })
})
