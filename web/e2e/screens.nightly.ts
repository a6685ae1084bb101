import { memberPaths, publicPaths } from '../src/lib/paths.ts'
import { expectScreen, expectWholeEverywhere, walk } from './checks.ts'
import { test as consoleTest, expect, PAGES } from './console.ts'
import { test } from './history.ts'

/** Every screen at every width, light and dark: what `make test` looks at on a few of them. */

test.use({ accessibleAtEnd: false })
consoleTest.use({ accessibleAtEnd: false })

/** Each screen is loaded anew, as a bookmark is; a test of them all would take too long. */
const SCREENS_A_TEST = 11
const TIMEOUT_MS = 300_000

for (const path of [...publicPaths, '/info/terms', '/nowhere']) {
  test(`${path} is whole and accessible`, async ({ page }) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectWholeEverywhere(page)
  })
}

for (let from = 0; from < memberPaths.length; from += SCREENS_A_TEST) {
  const paths = memberPaths.slice(from, from + SCREENS_A_TEST)
  test(`${paths[0]} and the screens after it are whole and accessible`, async ({
    memberPage: page,
  }) => {
    test.setTimeout(TIMEOUT_MS)
    for (const path of paths) {
      await test.step(path, async () => {
        await page.setViewportSize({ width: 1440, height: 800 })
        await page.goto(path)
        await expectScreen(page)
        await expectWholeEverywhere(page)
      })
    }
  })
}

consoleTest(
  'the pages of the console are whole and accessible',
  async ({ ownerPage: page, demo }) => {
    consoleTest.setTimeout(TIMEOUT_MS)
    for (const path of [...PAGES, `/admin/member?uid=${demo.member.id}`]) {
      await consoleTest.step(path, async () => {
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await page.waitForLoadState('networkidle')
        await expectWholeEverywhere(page)
      })
    }
  },
)

test("a phone's header shows the whole title of every screen, in both languages", async ({
  memberPage: page,
}) => {
  test.setTimeout(TIMEOUT_MS)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/dashboard')
  const heading = page.getByRole('heading', { level: 1 })
  const title = page.getByRole('banner').getByRole('paragraph')
  for (const language of ['en', 'hi']) {
    await page.getByRole('combobox').first().selectOption(language)
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    for (const path of memberPaths) {
      await walk(page, path)
      // What comes before the title on a wide screen is hidden here; a heading may say a total.
      const isThere = async () => (await heading.innerText()).startsWith(await title.innerText())
      await expect.poll(isThere, { message: path }).toBe(true)
      const beyond = await title.evaluate((box) => box.scrollWidth - box.clientWidth)
      expect(beyond, `${path} in ${language}`).toBe(0)
    }
  }
})
