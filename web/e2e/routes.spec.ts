import { expectWholeEverywhere, walk } from './checks.ts'
import { expect, test } from './history.ts'

// Each screen is looked at by itself below.
test.use({ accessibleAtEnd: false })

/** The route table as it was asked for, word for word, with the addresses we added. */
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
  /WithdrawalClaim, /WithdrawalClaimCrypto, /Security`

const listed = (table: string) => table.split(/,\s*/)
const NOT_THERE = ['Page not found', 'Something went wrong']
/** Where an address may say that it opens soon: only the one that is for that. */
const SOON = 'This page opens soon'

test('there are 43 protected addresses, and the one we added', () => {
  expect(new Set(listed(PROTECTED)).size).toBe(44)
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

/** Each screen is loaded anew, as a bookmark is; a test of them all would take too long. */
const SCREENS_A_TEST = 11

for (let from = 0; from < listed(PROTECTED).length; from += SCREENS_A_TEST) {
  const paths = listed(PROTECTED).slice(from, from + SCREENS_A_TEST)
  test(`${paths[0]} and those after it are screens of their own, whole at every width`, async ({
    memberPage: page,
  }) => {
    test.setTimeout(300_000)
    for (const path of paths) {
      await test.step(path, async () => {
        await page.setViewportSize({ width: 1440, height: 800 })
        await page.goto(path)
        const heading = page.getByRole('main').getByRole('heading', { level: 1 })
        await expect(heading).not.toBeEmpty()
        const text = (await heading.textContent()) ?? ''
        expect([...NOT_THERE, SOON]).not.toContain(text)
        await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
        await expect(page.getByRole('alert')).toHaveCount(0)
        // The frame with its heading is there before the first answer.
        const words = async () =>
          (await page.getByRole('main').innerText()).replace(text, '').trim().length
        await expect.poll(words).toBeGreaterThan(10)
        await expectWholeEverywhere(page)
      })
    }
  })
}
