import type { Page } from '@playwright/test'
import { expectNoCutTables, expectNoSidewaysScroll, walkTo } from './checks.ts'
import { expect, test } from './history.ts'

const PEOPLE = 'S.No, User Id, User Name'
const DATES = 'Registration Date, Activation Date'
const INVESTED = 'Robot Investment, Forex Investment, Crypto Investment'
const WHY = 'Why this amount'
const LEVEL = `S.No, From Id, On Amount, Level, Income, Remark, Created At, ${WHY}`
const LEVEL_HELD = `S.No, From Id, On Amount, Level, Income, Remark, Status, Created At, ${WHY}`
const ROI_HELD = `S.No, User Id, On Amount, On Rate, Income, Status, Created At, ${WHY}`
const MONTHLY = `S.No, User Id, Level, Income, Created At, ${WHY}`
const HISTORY = 'S.No., User Id, Refer By, Package Amount, Remark, Type, Date'
const CLAIMS =
  'S.No, User Id, Amount, Wallet Type, Income, Net Amount, Created At, Claim, Status, Claim Date'

/** Title, columns, and whether the heading has a total, as specified. */
const LISTS: Record<string, [title: string, columns: string, total?: 'total']> = {
  '/MyTeam': ['My Team', `${PEOPLE}, Status, Level, ${DATES}, ${INVESTED}, Position, Sponsor ID`],
  '/LevelDetails': ['Level Details', `${PEOPLE}, Status, Level, ${DATES}, ${INVESTED}, Sponsor Id`],
  '/DirectLegBusiness': [
    'Direct Leg Business',
    'S.No, User Id, Forex Self Business, Forex Team Business, Crypto Self Business, Crypto Team Business',
  ],
  '/LevelIncome': ['Level Income', LEVEL, 'total'],
  '/MatchingIncome': [
    'Matching Income',
    `S.No, User Id, Matched Business, Income, Capping Amount, Created At, ${WHY}`,
    'total',
  ],
  '/SalaryIncome': ['Salary Income', MONTHLY, 'total'],
  '/RoyaltyIncome': ['Royalty Income', MONTHLY, 'total'],
  '/Userrank': [
    'User Rank',
    `S.No, User Id, Level, Rank, Req Match Bot, Match Bot, Reward, Date, achieved Status, achieved Date, ${WHY}`,
    'total',
  ],
  '/UserReward': [
    'User Reward',
    `S.No, User Id, Level, Req. leg1, leg1, Req. Other Leg, Other Leg, reward, salary, Date, achieved Status, achieved Date, ${WHY}`,
    'total',
  ],
  '/RoiIncomeForex': ['Forex Roi Income', ROI_HELD, 'total'],
  '/RoiLevelIncomeForex': ['Forex Roi Level Income', LEVEL_HELD, 'total'],
  '/RoiIncomeCrypto': ['Crypto Roi Income', ROI_HELD, 'total'],
  '/RoiLevelIncomeCrypto': ['Crypto Roi Level Income', LEVEL_HELD, 'total'],
  '/RobotActivationHistory': ['Robot Activation History', HISTORY],
  '/RobotDownlineActivationHistory': ['Robot Downline Activation History', HISTORY],
  '/ForexActHistory': ['Forex Activation History', HISTORY],
  '/ForexDownlineActivationHistory': ['Forex Downline Activation History', HISTORY],
  '/CryptoActHistory': ['Crypto Activation History', HISTORY],
  '/CryptoDownlineActivationHistory': ['Crypto Downline Activation History', HISTORY],
  '/FundReceived': [
    'Fund Received History',
    'S.No, Received By, Received Amount, Deduct Amount, Received Date, Fund Type',
  ],
  '/WithdrawalClaim': ['Forex Claim Investment', CLAIMS, 'total'],
  '/WithdrawalClaimCrypto': ['Crypto Claim Investment', CLAIMS, 'total'],
}

const rows = (page: Page) => page.getByRole('table').locator('tbody tr')
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test('every list has its columns and rows, and fits a phone', async ({ memberPage: page }) => {
  test.setTimeout(180_000)
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto('/dashboard')
  for (const [path, [title, columns, total]] of Object.entries(LISTS)) {
    await test.step(path, async () => {
      await walkTo(page, path)
      await expect(page.getByRole('columnheader')).toHaveText(columns.split(', '))
      await expect(rows(page).first().getByRole('cell').first()).toHaveText('1')
      await expect(heading(page)).toHaveText(
        total ? new RegExp(`^${title} \\( Total : \\$[\\d,.]+ \\)$`) : title,
      )
      await expectNoSidewaysScroll(page)
    })
  }
})

test('lists of people show all their columns on a large screen', async ({ memberPage: page }) => {
  for (const path of ['/MyReferral', '/MyTeam', '/LevelDetails']) {
    await page.goto(path)
    await expect(rows(page).first().getByRole('cell').first()).toHaveText('1')
    await expectNoCutTables(page)
  }
})

const EMPTY = {
  '/RoiIncome': /pay no return/,
  '/RoiLevelIncome': /pay no return/,
}
for (const [path, text] of Object.entries(EMPTY)) {
  test(`${path} explains why it is empty`, async ({ memberPage: page }) => {
    await page.goto(path)
    await expect(page.getByText(text)).toBeVisible()
  })
}

for (const path of ['/DirectIncome', '/RewardIncome']) {
  test(`${path} is static and calls nothing`, async ({ memberPage: page }) => {
    const calls: string[] = []
    page.on('request', (request) => calls.push(new URL(request.url()).pathname))
    await page.goto(path)
    await expect(page.getByLabel('Income Type').locator('option')).toHaveText([
      'Level Income Eduection',
      'Level Income Robot',
      'Forex Trading Level Income On ROI',
    ])
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(page.getByRole('columnheader')).toHaveText(
      'S.No, Request Amount, Admin Charge, Payable Amount, Request Date, Status, Txn Hash, Txn Date'.split(
        ', ',
      ),
    )
    // The calls of the shell: session, account, balances and notices.
    const own = calls.filter(
      (call) => call.startsWith('/api/') && !/dashboard|sessions|notices|account$/i.test(call),
    )
    expect(own).toEqual([])
  })
}

test('pages, order and filters are in the address, and the total is of all rows', async ({
  memberPage: page,
}) => {
  await page.goto('/LevelIncome')
  await expect(page.getByText(/^1–25 of \d+ rows$/)).toBeVisible()
  const all = await heading(page).textContent()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect(rows(page).first().getByRole('cell').first()).toHaveText('26')
  expect(await heading(page).textContent()).toBe(all)
  await page.getByRole('button', { name: 'Level', exact: true }).click()
  await expect(page).toHaveURL(/\?sort=lvl$/)
  await expect(rows(page).first().getByRole('cell').nth(3)).toHaveText('1')
  await page.reload()
  await expect(page.getByRole('columnheader', { name: 'Level', exact: true })).toHaveAttribute(
    'aria-sort',
    'ascending',
  )
  await page.getByLabel('To Date').fill('2001-01-01')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.getByText('No matches for these filters.')).toBeVisible()
  await expect(heading(page)).toHaveText('Level Income ( Total : $0.00 )')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(heading(page)).toHaveText(all ?? '')
  await expect(page).toHaveURL(/\?sort=lvl$/)
  await expect(page.getByLabel('To Date')).toHaveValue('')

  // An edited address ends on the last page, without unknown filters.
  await page.goto('/LevelIncome?page=1000000000&fdate=2026-02-31&tdate=soon')
  await expect(page).toHaveURL(/\?page=\d{1,4}$/)
  await expect(rows(page).first().getByRole('cell').first()).toHaveText(/^\d+$/)
  await expect(page.getByRole('button', { name: 'Next page' })).toBeDisabled()
  await expect(heading(page)).toHaveText(all ?? '')
})

test('levels and people can be filtered', async ({ memberPage: page }) => {
  await page.goto('/LevelDetails')
  await page.getByLabel('Level', { exact: true }).selectOption('Level-2')
  await page.getByLabel('Person Status').selectOption('Inactive')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page).toHaveURL(/status=0/)
  await expect(page).toHaveURL(/leveltype=2/)
  await expect(rows(page).first().getByRole('cell').nth(3)).toHaveText('Inactive')
  await expect(rows(page).first().getByRole('cell').nth(4)).toHaveText('2')
})

test('an unknown sort order is ignored', async ({ memberPage: page }) => {
  await page.goto('/ForexActHistory?sort=nonsense')
  await expect(rows(page).first()).toContainText('Forex Fund')
})

test('a list is exported as CSV', async ({ memberPage: page }) => {
  await page.goto('/MatchingIncome')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as CSV' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^matching-income-\d+\.csv$/)
})

const REASONS = {
  '/LevelIncome': ['You earn', 'From member', 'Sale', 'See the sale'],
  '/MatchingIncome': ['matched in both legs', 'Daily cap', 'Carried volume'],
  '/RoiIncomeForex': ['The day’s trading result was', 'Trading result', 'Supporting document'],
  '/RoyaltyIncome': ['shares in the month’s pool', 'Your shares of all shares'],
}
for (const [path, texts] of Object.entries(REASONS)) {
  test(`${path} explains an amount`, async ({ memberPage: page }) => {
    await page.goto(path)
    await page
      .getByRole('button', { name: /^Why this amount/ })
      .first()
      .click()
    const drawer = page.getByRole('dialog', { name: 'Why this amount' })
    for (const text of [...texts, 'How we calculated it', 'Before pool limit']) {
      await expect(drawer.getByText(text).first()).toBeVisible()
    }
    await expect(drawer.getByText('Digest of the close')).toBeHidden()
    await drawer.getByText('Technical details').click()
    await expect(drawer.getByText('Digest of the close')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(drawer).toHaveCount(0)

    // The row itself opens it, too.
    await rows(page).first().getByRole('cell').nth(2).click()
    await expect(drawer).toBeVisible()
  })
}

test('a matured investment is claimed when its cash has arrived', async ({ memberPage: page }) => {
  await page.goto('/WithdrawalClaim')
  const unfunded = rows(page).nth(0)
  const funded = rows(page).nth(1)
  await expect(rows(page).nth(2)).toContainText('Allready Claimed')
  const before = await heading(page).textContent()

  await expect(unfunded.getByRole('button', { name: 'Claim Now' })).toBeDisabled()
  await expect(unfunded).toContainText('Cash on its way')
  await expect(unfunded).toContainText('Pending')

  await funded.getByRole('button', { name: 'Claim Now' }).click()
  const dialog = page.getByRole('dialog', { name: /Are you sure, You want to\s+Claim\.\.\?/ })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(funded).toContainText('Pending')

  await funded.getByRole('button', { name: 'Claim Now' }).click()
  await dialog.getByRole('button', { name: 'Claim Now' }).click()
  await expect(page.getByText('Claim Successfully...!!!')).toBeVisible()
  await expect(funded).toContainText('Allready Claimed')
  await expect(funded).toContainText('Claimed')
  await expect(heading(page)).not.toHaveText(before ?? '')
})
