import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import { type MODES, WIDTHS } from './widths.ts'

/** Checks that every page must pass. */

/** Set by `make test-nightly`, which looks at every state of every screen at every width. */
const NIGHTLY = process.env.NIGHTLY === '1'

export async function expectNoSidewaysScroll(page: Page) {
  const overflow = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return scrollWidth - clientWidth
    })
  // A menu that changes with the width needs a moment.
  await expect.poll(overflow, { message: 'pixels beyond the right edge', timeout: 5_000 }).toBe(0)
}

/** On a large screen every column of every table is visible without scrolling. */
export async function expectNoCutTables(page: Page) {
  await page.setViewportSize({ width: 1440, height: 900 })
  const cut = () =>
    page.evaluate(() =>
      Array.from(document.querySelectorAll('section:has(> table)'))
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map((table) => table.getAttribute('aria-label')),
    )
  await expect.poll(cut).toEqual([])
}

/** The script of @axe-core/playwright without its wrapper, which injects it for every check. */
const { source } = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))(
  'axe-core',
) as { source: string }

interface Violation {
  id: string
  impact: string
  nodes: { html: string }[]
}

interface Axe {
  run: (context: object, options: object) => Promise<{ violations: Violation[] }>
}

/** The rules that a change of colours can break. */
const COLOURS = ['color-contrast', 'link-in-text-block']

/** Nothing serious is wrong with the page, in the nightly run: axe takes longer than most tests. */
export async function expectAccessible(page: Page) {
  if (NIGHTLY) await expectNoViolations(page)
}

/**
 * The page has no serious accessibility fault; with `colours`, no fault of its colours. Contrast
 * takes most of the time and is the same for rows with the same structure.
 */
async function expectNoViolations(page: Page, look: 'everything' | 'colours' = 'everything') {
  await painted(page)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const grave = await page.evaluate(
    async ([what, colours]) => {
      const { axe } = window as unknown as { axe: Axe }
      const looks = (element: Element) =>
        Array.from(element.attributes)
          .filter(({ name }) =>
            /^(class|style|disabled|hidden|data-|aria-(current|selected))/.test(name),
          )
          .map(({ name, value }) => `${name}=${value}`)
      const alike = Array.from(document.querySelectorAll('tbody')).flatMap((body) => {
        const seen = new Set<string>()
        return Array.from(body.rows).filter((row, at) => {
          const parts = [row, ...Array.from(row.querySelectorAll('*'))]
          const key = `${at % 2} ${parts.map((part) => [part.tagName, ...looks(part)]).join(' ')}`
          const known = seen.has(key)
          seen.add(key)
          return known
        })
      })
      const only = { resultTypes: ['violations'], preload: false }
      const found = await axe.run(
        { exclude: alike },
        { ...only, runOnly: { type: 'rule', values: colours } },
      )
      if (what === 'everything') {
        const rules = Object.fromEntries(colours.map((rule) => [rule, { enabled: false }]))
        const rest = await axe.run(document, { ...only, rules })
        found.violations.push(...rest.violations)
      }
      return found.violations
        .filter(
          ({ id, impact }) =>
            impact === 'serious' || impact === 'critical' || id === 'landmark-unique',
        )
        .map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
    },
    [look, COLOURS] as const,
  )
  expect(grave).toEqual([])
}

/** Switches the page to a mode. The kit follows a moment after the styles. */
export async function setMode(page: Page, mode: (typeof MODES)[number]) {
  await page.emulateMedia({ colorScheme: mode, reducedMotion: 'reduce' })
  // After the kit's screens are left their mark stays, and no component reads it. A browser that
  // paints nothing sends no event, so every frame checks.
  await page.waitForFunction(
    (wanted) => {
      const shown = document.querySelector('[class*="mantine-"]')
      return !shown || (document.documentElement.dataset.mantineColorScheme ?? wanted) === wanted
    },
    mode,
    { polling: 'raf', timeout: 60_000 },
  )
  await painted(page)
}

/** A transition must not be checked: its colours belong to no mode. */
export const painted = (page: Page) =>
  page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    await frame()
    await frame()
    // A spinner runs for ever; every other animation must end within a second.
    const changes = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
    await Promise.race([
      Promise.allSettled(changes.map(({ finished }) => finished)),
      new Promise((resolve) => setTimeout(resolve, 1_000)),
    ])
  })

/** Navigates as a link does, without a reload. */
export const walk = (page: Page, address: string) =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
    scrollTo(0, 0)
  }, address)

/** Goes there and waits for its title: no two screens in a row have one. */
export async function walkTo(page: Page, address: string) {
  const before = await page.title()
  await walk(page, address)
  await expect(page).not.toHaveTitle(before)
}

export const NOT_THERE = ['Page not found', 'Something went wrong']
/** Where an address may say that it opens soon: only the one that is for that. */
export const SOON = 'This page opens soon'

/** A screen of its own is here, with more than its heading, and nothing went wrong. */
export async function expectScreen(page: Page) {
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
}

const modeOf = (page: Page) =>
  page.evaluate((): (typeof MODES)[number] =>
    matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
  )

/**
 * Nothing overflows at any width, and all text is readable in both modes: the current mode is
 * checked at the narrowest width, the other one at the widest. A walk through many pages thus
 * checks the modes in turns and switches once on each page.
 */
export async function expectWholeEverywhere(page: Page) {
  const first = await modeOf(page)
  await setMode(page, first)
  for (const width of WIDTHS.toReversed()) {
    await page.setViewportSize({ width, height: 800 })
    await expectNoSidewaysScroll(page)
  }
  // Each mode at one width: a look takes longer than loading the page.
  await expectNoViolations(page)
  await page.setViewportSize({ width: Math.max(...WIDTHS), height: 800 })
  await setMode(page, first === 'light' ? 'dark' : 'light')
  await expectNoViolations(page, 'colours')
}

/**
 * How a behaviour test looks at a state that it alone reaches: whole everywhere in the nightly run,
 * and otherwise nothing runs out of the page on a phone. Either way the page is left at the widest.
 */
export async function expectWhole(page: Page) {
  if (NIGHTLY) return expectWholeEverywhere(page)
  await page.setViewportSize({ width: Math.min(...WIDTHS), height: 800 })
  await expectNoSidewaysScroll(page)
  await page.setViewportSize({ width: Math.max(...WIDTHS), height: 800 })
}

/** Hindi is chosen on the page and stays after a reload, which must not show English first. */
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
