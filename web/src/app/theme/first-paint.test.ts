import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { STORAGE_KEY as SESSION_KEY } from '@/lib/api/session.ts'
import { brand } from '@/lib/brand.ts'
import { keepChoice } from '@/lib/choices.ts'
import { LANGUAGE_KEY } from '@/lib/strings/language.ts'
import { forgetChoices } from '@/lib/test/choices.ts'
import firstPaint from './first-paint.js?raw'

const sheet = { replaceSync: vi.fn() }

beforeEach(() => {
  vi.stubGlobal(
    'CSSStyleSheet',
    vi.fn(function CSSStyleSheet() {
      return sheet
    }),
  )
  Object.assign(document, { adoptedStyleSheets: [] })
  vi.spyOn(document, 'readyState', 'get').mockReturnValue('interactive')
})

afterEach(() => {
  vi.unstubAllGlobals()
  forgetChoices()
  sessionStorage.clear()
})

/** A parsed page that contains a screen. */
async function paint(attribute = '') {
  document.body.innerHTML = `<div id="root"></div>
    <template id="shell" ${attribute}><p data-style="--size: 2px">The screen</p></template>`
  new Function(firstPaint)()
  document.dispatchEvent(new Event('readystatechange'))
  await window.shellPainted
  return document.querySelector<HTMLElement>('#root > p')
}

it("paints the page's screen in the operator's colours, with its styles", async () => {
  const shown = await paint()
  expect(shown?.textContent).toBe('The screen')
  expect(shown?.style.getPropertyValue('--size')).toBe('2px')
  expect(sheet.replaceSync).toHaveBeenLastCalledWith(
    expect.stringContaining(brand.colours.light.primary),
  )
})

it('shows no English to whoever chose another language', async () => {
  keepChoice(LANGUAGE_KEY, 'hi')
  expect(await paint()).toBeNull()
})

it("shows a member's screen only to who is signed in", async () => {
  expect(await paint('data-member')).toBeNull()
  sessionStorage.setItem(SESSION_KEY, JSON.stringify({ isAuth: true }))
  expect(await paint('data-member')).not.toBeNull()
})
