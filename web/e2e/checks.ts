import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { MODES, WIDTHS } from './widths.ts'

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

/** Nothing runs out of the page at any width, and nothing is hard to read there, light or dark. */
export async function expectWholeEverywhere(page: Page) {
  for (const mode of MODES) {
    await page.emulateMedia({ colorScheme: mode, reducedMotion: 'reduce' })
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      await expectNoSidewaysScroll(page)
      if (width !== 991) await expectAccessible(page)
    }
  }
}
