import { beforeEach, expect, it, vi } from 'vitest'
import { session } from './api/session.ts'
import { chosen, keepChoice, onReturn } from './choices.ts'
import { forgetChoices } from './test/choices.ts'

/** jsdom's window, which alone can set the location. */
const { jsdom: page } = globalThis as unknown as {
  jsdom: { reconfigure: (to: { url: string }) => void }
}

beforeEach(() => {
  localStorage.clear()
  forgetChoices()
})

it('keeps a choice for a year, on every page, for this site only, and by TLS where there is', () => {
  const write = vi.spyOn(document, 'cookie', 'set')
  keepChoice('bifolia.theme', 'dark')
  const plain = 'bifolia.theme=dark; Path=/; Max-Age=31536000; SameSite=Lax'
  expect(write).toHaveBeenLastCalledWith(plain)
  const { href } = location
  page.reconfigure({ url: 'https://bifolia.test/' })
  keepChoice('bifolia.theme', 'dark')
  expect(write).toHaveBeenLastCalledWith(`${plain}; Secure`)
  page.reconfigure({ url: href })
})

it('keeps it when somebody logs out, or the session ends', () => {
  keepChoice('bifolia.language', 'hi')
  session.clear()
  session.expire()
  expect(chosen('bifolia.language')).toBe('hi')
  expect(chosen('bifolia.theme')).toBeNull()
})

it('tells of the return to the tab, not of leaving it', () => {
  const listener = vi.fn()
  const leave = onReturn(listener)
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  document.dispatchEvent(new Event('visibilitychange'))
  expect(listener).not.toHaveBeenCalled()
  state.mockReturnValue('visible')
  document.dispatchEvent(new Event('visibilitychange'))
  leave()
  document.dispatchEvent(new Event('visibilitychange'))
  expect(listener).toHaveBeenCalledOnce()
})
