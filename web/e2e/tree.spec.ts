import type { Page } from '@playwright/test'
import { expectAccessible, expectNoSidewaysScroll } from './checks.ts'
import { expect, test } from './history.ts'
import { WIDTHS } from './widths.ts'

const places = (page: Page) => page.getByRole('treeitem')
const top = (page: Page) => places(page).first()
const trail = (page: Page) => page.getByRole('navigation', { name: 'Path' })

test('shows fifteen places at every width', async ({ memberPage: page }) => {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/Tree_View')
    await expect(places(page)).toHaveCount(15)
    await expect(page.getByRole('list', { name: 'Legend' })).toContainText('Not Registered')
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  }
})

test('hovering shows a place, clicking re-centres, and the breadcrumb leads back', async ({
  memberPage: page,
  server,
}) => {
  await page.goto('/Tree_View')
  const grandchild = places(page).nth(4)
  const name = (await grandchild.getAttribute('aria-label')) ?? ''
  await grandchild.hover()
  const details = page.getByRole('status').filter({ hasText: 'Sponsor' })
  for (const term of ['Sponsor', 'Activation Date', 'Package amount', 'Business, left / right']) {
    await expect(details.getByText(term, { exact: true })).toBeVisible()
  }
  await grandchild.click()
  await expect(top(page)).toHaveAttribute('aria-label', name)
  await expect(trail(page).getByRole('listitem')).toHaveCount(3)
  await page.reload()
  await expect(top(page)).toHaveAttribute('aria-label', name)
  await page.getByRole('button', { name: 'BACK' }).click()
  await expect(trail(page).getByRole('listitem')).toHaveCount(2)
  await trail(page)
    .getByRole('button', { name: `Me (${server.demo.member.id})` })
    .click()
  await expect(page).toHaveURL(/\/Tree_View$/)
  await expect(page.getByRole('button', { name: 'BACK' })).toBeDisabled()
})

test('finds a member by id, and says when there is none', async ({ memberPage: page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/Tree_View')
  // The details of a place would cover others.
  await top(page).focus()
  await expect(page.getByText('Package amount')).toBeVisible()
  const id = /\d{6}/.exec((await places(page).nth(8).getAttribute('aria-label')) ?? '')?.[0] ?? ''
  const search = page.getByRole('textbox', { name: 'User Id' })
  await search.fill(`x${id}999`)
  await expect(search).toHaveValue(`${id}99`)
  await search.fill(id)
  await search.press('Enter')
  await expect(top(page)).toHaveAttribute('aria-label', new RegExp(id))
  await expect(page.getByText('Package amount')).toBeHidden()
  await search.fill('100000')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('User ID Not Found')).toBeVisible()
  await expect(top(page)).toHaveAttribute('aria-label', new RegExp(id))
})

test('arrow keys walk the places and Enter re-centres', async ({ memberPage: page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/Tree_View')
  await top(page).focus()
  await page.keyboard.press('ArrowDown')
  await expect(places(page).nth(1)).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(places(page).nth(2)).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(places(page).nth(2)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(top(page)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  const name = (await places(page).nth(1).getAttribute('aria-label')) ?? ''
  await page.keyboard.press('Enter')
  await expect(top(page)).toHaveAttribute('aria-label', name)
})

test('free places and both links lead to a prefilled sign-up', async ({
  memberPage: page,
  server,
}) => {
  await page.goto('/Tree_View')
  const { id } = server.demo.member
  await expect(page.getByRole('link', { name: 'Right Referral Link' })).toHaveAttribute(
    'href',
    `/Signup?userid=${id}&Position1=Right`,
  )
  // The left leg always has a free place at its end.
  const free = page.locator('a[role="treeitem"]').first()
  await expect(async () => {
    if ((await free.count()) === 0) await places(page).nth(7).click()
    await expect(free).toHaveAttribute('href', /^\/Signup\?userid=\d+&Position1=(Left|Right)$/, {
      timeout: 1_000,
    })
  }).toPass()
})

test('zooms in, and fits again', async ({ memberPage: page }) => {
  await page.goto('/Tree_View')
  const box = () => places(page).nth(1).boundingBox()
  const before = await box()
  await page.getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(async () => (await box())?.width).toBeGreaterThan(before?.width ?? 0)
  await page.getByRole('button', { name: 'Fit to screen' }).click()
  await expect.poll(box).toEqual(before)
})

test.describe('on a slow network, or none', () => {
  test.use({ expectedErrors: /Failed to load resource/ })

  test('a click shows progress or an error immediately, and a retry works', async ({
    memberPage: page,
  }) => {
    await page.goto('/Tree_View')
    const child = places(page).nth(1)
    const name = (await child.getAttribute('aria-label')) ?? ''
    const [id = ''] = /\d{6}/.exec(name) ?? []
    await page.route('**/api/binaryTree', (route) => route.abort())
    await child.click()
    await expect(page.getByText(`Loading the team of ${id}`)).toBeVisible({ timeout: 1_000 })
    await expect(page.getByRole('alert')).toBeVisible({ timeout: 15_000 })
    await page.unroute('**/api/binaryTree')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(top(page)).toHaveAttribute('aria-label', name)
    await expect(page.getByText(/Loading the team/)).toHaveCount(0)
  })
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, viewport: { width: 360, height: 800 } })

  test('a tap shows a place, and the button re-centres', async ({ memberPage: page }) => {
    await page.goto('/Tree_View')
    const child = places(page).nth(1)
    const name = (await child.getAttribute('aria-label')) ?? ''
    await child.tap()
    await expect(page.getByRole('button', { name: 'Show this team' })).toBeVisible()
    await expect(top(page)).not.toHaveAttribute('aria-label', name)
    await page.getByRole('button', { name: 'Show this team' }).tap()
    await expect(top(page)).toHaveAttribute('aria-label', name)
  })
})
