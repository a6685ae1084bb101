import { expectNoSidewaysScroll } from './checks.ts'
import { expect, test } from './fixtures.ts'
import { WIDTHS } from './widths.ts'

// Swagger UI is shown as its makers ship it, and is not ours to correct.
test.use({ accessibleAtEnd: false })

for (const width of WIDTHS) {
  test(`the API page shows a call at ${width} px and asks no other host`, async ({
    page,
    baseURL,
  }) => {
    const hosts = new Set<string>()
    page.on('request', (request) => {
      if (!request.url().startsWith('data:')) hosts.add(new URL(request.url()).origin)
    })
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/api/docs')
    await page.getByRole('button', { name: 'Expand operation' }).first().click()
    await page.locator('.opblock-summary-control').first().click()
    await expect(page.locator('.opblock-body').getByText('Responses').first()).toBeVisible()
    await expectNoSidewaysScroll(page)
    expect([...hosts]).toEqual([baseURL])
  })
}
