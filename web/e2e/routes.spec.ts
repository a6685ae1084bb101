import { expect, test } from './fixtures.ts'

/** The route table as it was asked for, word for word, with the two addresses we added. */
const PUBLIC =
  '/, /Login, /Signup, /ForgotPassword, /WelcomePage, /AdminLogin, /Bifolia, /ComingSoon'
const PROTECTED = `/dashboard, /RobotActivation, /Upgrade, /MyReferral, /DirectLegBusiness, /LevelDetails,
  /MyTeam, /DirectIncome, /RewardIncome, /RoiIncome, /RoiLevelIncome, /UserReward, /FundrequestBank,
  /FundRequestECurrency, /FundTransfer, /FundReceived, /WithdrawalRequest, /WithdrawLog,
  /ProfileSetting, /ChangePassword, /ECurrencyDetails, /Support, /LevelIncome, /MatchingIncome,
  /Tree_View, /SalaryIncome, /RoyaltyIncome, /Userrank, /TransactionPassword, /RoiIncomeForex,
  /RoiLevelIncomeForex, /RoiIncomeCrypto, /RoiLevelIncomeCrypto, /ForexActivation,
  /ForexActHistory, /ForexDownlineActivationHistory, /CryptoActivation, /CryptoActHistory,
  /CryptoDownlineActivationHistory, /RobotActivationHistory, /RobotDownlineActivationHistory,
  /WithdrawalClaim, /WithdrawalClaimCrypto`

const listed = (table: string) => table.split(/,\s*/)
const NOT_THERE = ['There is no page here', 'Something went wrong']
/** Where an address may say that it opens soon: only the one that is for that. */
const SOON = 'This page opens soon'

test('there are 43 protected addresses', () => {
  expect(new Set(listed(PROTECTED)).size).toBe(43)
})

test('every public address shows something of its own, whatever its case', async ({ page }) => {
  for (const path of listed(PUBLIC)) {
    for (const address of [path, path.toUpperCase()]) {
      await test.step(address, async () => {
        await page.goto(address)
        const heading = page.getByRole('heading', { level: 1 })
        await expect(heading).not.toBeEmpty()
        const text = (await heading.textContent()) ?? ''
        expect([...NOT_THERE, ...(path === '/ComingSoon' ? [] : [SOON])]).not.toContain(text)
        await expect(page).toHaveTitle(/Bifolia/)
        const words = (await page.getByRole('main').innerText()).trim()
        expect(words.length).toBeGreaterThan(40)
      })
    }
  }
})

test('no protected address opens for who is not signed in', async ({ page }) => {
  for (const path of listed(PROTECTED)) {
    await test.step(path, async () => {
      await page.goto(path)
      await expect(page).toHaveURL(/\/Login$/)
    })
  }
})

for (const path of listed(PROTECTED)) {
  test(`${path} shows a screen of its own to a member with data`, async ({ memberPage: page }) => {
    await page.goto(path)
    const heading = page.getByRole('main').getByRole('heading', { level: 1 })
    await expect(heading).not.toBeEmpty()
    const text = (await heading.textContent()) ?? ''
    expect([...NOT_THERE, SOON]).not.toContain(text)
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
    await expect(page.getByRole('alert')).toHaveCount(0)
    const words = (await page.getByRole('main').innerText()).replace(text, '').trim()
    expect(words.length).toBeGreaterThan(10)
  })
}
