import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectWhole } from './checks.ts'
import { expect, giveFunds, test } from './money.ts'

/** The file that a button of the tab saves. */
async function saved(page: Page, format: 'CSV' | 'XLSX' | 'PDF') {
  const download = page.waitForEvent('download')
  await page
    .getByRole('tabpanel')
    .getByRole('button', { name: new RegExp(`${format}$`) })
    .click()
  const file = await download
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

const today = () => new Date().toISOString().slice(0, 10)

test('on a phone every tab of the profile is visible and large enough to touch', async ({
  ownPage: page,
}) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto('/ProfileSetting')
  await expect(page.getByRole('tab')).toHaveCount(5)
  for (const tab of await page.getByRole('tab').all()) {
    const box = await tab.boundingBox()
    expect(box?.height).toBeGreaterThanOrEqual(44)
    expect(box?.x).toBeGreaterThanOrEqual(0)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360)
  }
  const hidden = await page
    .getByRole('tablist')
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
  expect(hidden).toBe(0)
})

test('a statement shows balances for a wallet and a period, in three formats', async ({
  ownPage: page,
  member,
  server,
  operator,
}) => {
  await giveFunds(server, operator, member, '250')
  await giveFunds(server, operator, member, '75', 'FOREXFUNDS')
  await page.goto('/ProfileSetting')
  await page.getByRole('tab', { name: 'Statement' }).click()
  const panel = page.getByRole('tabpanel')
  const from = panel.getByLabel('From Date')
  const to = panel.getByLabel('To Date')

  // The whole history of the fund that is selected first.
  const whole = await saved(page, 'CSV')
  expect(whole.name).toMatch(new RegExp(`^statement-robot-fund-${member.id}.*\\.csv$`))
  const text = whole.bytes.toString('utf8')
  expect(text).toMatch(/Opening balance.*,0\.00/)
  expect(text).toMatch(/,250\.00/)
  expect(text).toMatch(/Closing balance.*,250\.00/)
  expect(text).not.toMatch(/75\.00/)

  await panel.getByLabel('Wallet').selectOption({ label: 'Forex Fund' })
  await from.fill(today())
  const forex = await saved(page, 'CSV')
  expect(forex.bytes.toString('utf8')).toMatch(/Closing balance.*,75\.00/)
  expect((await saved(page, 'XLSX')).bytes.subarray(0, 2).toString()).toBe('PK')
  const pdf = await saved(page, 'PDF')
  expect(pdf.name).toContain(today())
  expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-')

  // A period without entries has both balances, which are equal.
  await from.fill('2020-01-01')
  await to.fill('2020-01-31')
  const quiet = (await saved(page, 'CSV')).bytes.toString('utf8')
  expect(quiet).toMatch(/Opening balance.*,0\.00/)
  expect(quiet).toMatch(/Closing balance.*,0\.00/)
  expect(quiet).not.toMatch(/75\.00/)
  await expectWhole(page)
})
