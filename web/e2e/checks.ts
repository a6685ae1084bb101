import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { WIDTHS } from './widths.ts'

/** What every page owes every reader. */

export async function expectNoSidewaysScroll(page: Page) {
  const overflow = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return scrollWidth - clientWidth
    })
  // A menu that changes its kind with the width needs a moment to do so.
  await expect.poll(overflow, { message: 'pixels beyond the right edge', timeout: 5_000 }).toBe(0)
}

export async function expectAccessible(page: Page) {
  // No frames of others, and only what is wrong: in its usual way each look opens a second page.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .analyze()
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(grave.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}

/** Nothing runs out of the page at any width, and nothing is hard to read, light or dark. */
export async function expectWholeEverywhere(page: Page) {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  for (const width of WIDTHS.toReversed()) {
    await page.setViewportSize({ width, height: 800 })
    await expectNoSidewaysScroll(page)
  }
  // Each mode at one width, the narrowest and the widest: a look takes longer than loading the page.
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: Math.max(...WIDTHS), height: 800 })
  await expectAccessible(page)
}

/** Hindi is chosen in place and stays: when the page comes again, its English is never shown. */
export async function expectHindiStays(page: Page, english: string, hindi: string) {
  await expect(page.getByText(english, { exact: true })).toBeVisible()
  await page.getByLabel('Language').selectOption('hi')
  await expect(page.getByText(hindi, { exact: true })).toBeVisible()
  await page.addInitScript((words) => {
    const look = () => {
      if (document.body?.textContent?.includes(words)) sessionStorage.setItem('seen', words)
    }
    new MutationObserver(look).observe(document, {
      childList: true,
      subtree: true,
      characterData: true,
    })
  }, english)
  await page.reload()
  await expect(page.getByText(hindi, { exact: true })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'hi')
  expect(await page.evaluate(() => sessionStorage.getItem('seen'))).toBeNull()
}
