import { expectAccessible, expectNoSidewaysScroll } from './checks.ts'
import { expect, MODES, test, WIDTHS } from './fixtures.ts'

const SCREENS = {
  '/FundRequestECurrency': 'Fund Request USDT',
  '/FundrequestBank': 'Fund Request Bank',
  '/FundTransfer': 'Fund Transfer',
  '/RobotActivation': 'Robot Activation',
  '/Upgrade': 'Robot Upgrade',
  '/ForexActivation': 'Forex Activation',
  '/CryptoActivation': 'Crypto Activation',
  '/WithdrawalRequest': 'Withdrawal',
  '/ProfileSetting': 'Profile Setting',
  '/ChangePassword': 'Change Password',
  '/TransactionPassword': 'Change Transaction Password',
  '/ECurrencyDetails': 'E-Currency Details',
  '/Support': 'Support',
}

for (const [path, title] of Object.entries(SCREENS)) {
  test(`${path} is whole and accessible at every width, light and dark`, async ({
    memberPage: page,
  }) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    await expect(page.getByRole('main').getByRole('button').first()).toBeVisible()
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
    for (const mode of MODES) {
      await page.emulateMedia({ colorScheme: mode, reducedMotion: 'reduce' })
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 })
        await expectNoSidewaysScroll(page)
      }
      await expectAccessible(page)
    }
  })
}
