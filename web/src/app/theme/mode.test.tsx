import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { chosen, keepChoice } from '@/lib/choices.ts'
import { forgetChoices } from '@/lib/test/choices.ts'
import firstPaint from './first-paint.js?raw'
import { currentMode, THEME_KEY } from './mode.ts'
import { ThemeSwitch } from './ThemeSwitch.tsx'

const root = document.documentElement

beforeEach(() => {
  forgetChoices()
  delete root.dataset.theme
})

function systemPrefers(mode: 'light' | 'dark') {
  const original = window.matchMedia
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    Object.assign(original(query), { matches: mode === 'dark' }),
  )
}

it('follows the system until somebody chooses', () => {
  systemPrefers('dark')
  expect(currentMode()).toBe('dark')
  expect(root.dataset.theme).toBeUndefined()
})

it('switches to the other theme, and keeps the choice', async () => {
  systemPrefers('dark')
  render(<ThemeSwitch />)
  await userEvent.click(screen.getByRole('button', { name: 'Use light theme' }))
  expect(root.dataset.theme).toBe('light')
  expect(chosen(THEME_KEY)).toBe('light')
  expect(screen.getByRole('button', { name: 'Use dark theme' })).toBeVisible()
})

it('still switches when cookies are blocked', async () => {
  vi.spyOn(document, 'cookie', 'set').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError')
  })
  render(<ThemeSwitch />)
  await userEvent.click(screen.getByRole('button', { name: 'Use dark theme' }))
  expect(root.dataset.theme).toBe('dark')
})

it('follows a choice made in another tab when it is looked at again', () => {
  render(<ThemeSwitch />)
  keepChoice(THEME_KEY, 'dark')
  act(() => {
    document.dispatchEvent(new Event('visibilitychange'))
  })
  expect(root.dataset.theme).toBe('dark')
  expect(screen.getByRole('button', { name: 'Use light theme' })).toBeVisible()
})

it.each(['light', 'dark'])('applies a stored %s before the first paint', (mode) => {
  keepChoice(THEME_KEY, mode)
  new Function(firstPaint)()
  expect(root.dataset.theme).toBe(mode)
})

it('ignores a stored value that is no theme', () => {
  keepChoice(THEME_KEY, 'neon')
  new Function(firstPaint)()
  expect(root.dataset.theme).toBeUndefined()
})
