import type { Page } from '@playwright/test'
import { setMode } from './checks.ts'

/** Takes screenshots, if they are enabled. */
export async function picture(page: Page, name: string) {
  const folder = process.env.PICTURES
  if (!folder) return
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await setMode(page, 'light')
    await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true })
  }
}
