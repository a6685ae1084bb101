import { memberPaths } from '../src/lib/paths.ts'
import { expectScreen, NOT_THERE, SOON, walk, walkTo } from './checks.ts'
import { expect, test } from './history.ts'

// Each screen is looked at in the nightly run.
test.use({ accessibleAtEnd: false })

/** The specified routes, and the added ones. */
const PUBLIC =
  '/, /Login, /Signup, /ForgotPassword, /ConfirmEmail, /WelcomePage, /AdminLogin, /Bifolia, /ComingSoon'
const PROTECTED = `/dashboard, /RobotActivation, /Upgrade, /MyReferral, /DirectLegBusiness, /LevelDetails,
  /MyTeam, /DirectIncome, /RewardIncome, /RoiIncome, /RoiLevelIncome, /UserReward, /FundrequestBank,
  /FundRequestECurrency, /FundTransfer, /FundReceived, /WithdrawalRequest, /WithdrawLog,
  /ProfileSetting, /ChangePassword, /ECurrencyDetails, /Support, /LevelIncome, /MatchingIncome,
  /Tree_View, /SalaryIncome, /RoyaltyIncome, /Userrank, /TransactionPassword, /RoiIncomeForex,
  /RoiLevelIncomeForex, /RoiIncomeCrypto, /RoiLevelIncomeCrypto, /ForexActivation,
  /ForexActHistory, /ForexDownlineActivationHistory, /CryptoActivation, /CryptoActHistory,
  /CryptoDownlineActivationHistory, /RobotActivationHistory, /RobotDownlineActivationHistory,
  /WithdrawalClaim, /WithdrawalClaimCrypto, /Security, /Notices, /Lessons`

const listed = (table: string) => table.split(/,\s*/)

test('the table has every protected address', () => {
  expect(listed(PROTECTED).toSorted()).toEqual(memberPaths.toSorted())
})

test('every public address shows its page, in any case', async ({ page }) => {
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

test('no protected address opens signed out', async ({ page }) => {
  // Loaded, as a bookmark is, and after that as links lead there.
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/Login$/)
  for (const path of listed(PROTECTED)) {
    await test.step(path, async () => {
      await walk(page, path)
      await expect(page).toHaveURL(/\/Login$/)
    })
  }
})

test('every protected address opens a screen of its own', async ({ memberPage: page }) => {
  const [first = '', ...others] = listed(PROTECTED)
  await page.goto(first)
  for (const path of [first, ...others]) {
    await test.step(path, async () => {
      if (path !== first) await walkTo(page, path)
      await expectScreen(page)
    })
  }
})
