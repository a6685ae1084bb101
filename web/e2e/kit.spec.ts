import { setMode } from './checks.ts'
import { expect, test } from './history.ts'
import { MODES } from './widths.ts'

for (const mode of MODES) {
  test(`the page of the design system shows every part, accessible in ${mode}`, async ({
    page,
  }) => {
    await page.goto('/dev/kit')
    await setMode(page, mode)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Design system')
    const charts = page.getByRole('region', { name: 'Charts' })
    await charts.getByText('Show as a table').first().click()
    await expect(charts.getByRole('table').first()).toBeVisible()
    await page.getByRole('button', { name: 'Ask' }).click()
    await expect(page.getByRole('dialog', { name: 'Please confirm' })).toBeVisible()
  })
}
