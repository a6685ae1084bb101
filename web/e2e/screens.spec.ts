import { expectWholeEverywhere } from './checks.ts'
import { expect, test } from './console.ts'

// Looked at on the way.
test.use({ accessibleAtEnd: false })

/** One of each kind of screen: a page, a form, cards, a drawing, a list, a desk. */
const SCREENS = [
  '/',
  '/Signup',
  '/dashboard',
  '/WithdrawalRequest',
  '/Tree_View',
  '/LevelIncome',
  '/admin',
  '/admin/withdrawals?state=all',
]

// The nightly run looks at all screens.
test('a screen of each kind is whole and accessible at every width, light and dark', async ({
  memberPage: page,
  ownerPage,
}) => {
  expect(ownerPage).toBe(page)
  test.setTimeout(180_000)
  for (const path of SCREENS) {
    await test.step(path, async () => {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.waitForLoadState('networkidle')
      await expectWholeEverywhere(page)
    })
  }
})
