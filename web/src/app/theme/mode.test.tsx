import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import firstPaint from './first-paint.js?raw'
import { currentMode, STORAGE_KEY } from './mode.ts'
import { ThemeSwitch } from './ThemeSwitch.tsx'

const root = document.documentElement

beforeEach(() => {
  localStorage.clear()
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
  expect(localStorage.getItem(STORAGE_KEY)).toBe('light')
  expect(screen.getByRole('button', { name: 'Use dark theme' })).toBeVisible()
})

it('still switches when storage is blocked', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError')
  })
  render(<ThemeSwitch />)
  await userEvent.click(screen.getByRole('button', { name: 'Use dark theme' }))
  expect(root.dataset.theme).toBe('dark')
})

it('follows a choice made in another tab', () => {
  render(<ThemeSwitch />)
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key: STORAGE_KEY, newValue: 'dark' }))
  })
  expect(root.dataset.theme).toBe('dark')
  expect(screen.getByRole('button', { name: 'Use light theme' })).toBeVisible()
})

it.each(['light', 'dark'])('applies a stored %s before the first paint', (mode) => {
  localStorage.setItem(STORAGE_KEY, mode)
  new Function(firstPaint)()
  expect(root.dataset.theme).toBe(mode)
})

it('ignores a stored value that is no theme', () => {
  localStorage.setItem(STORAGE_KEY, 'neon')
  new Function(firstPaint)()
  expect(root.dataset.theme).toBeUndefined()
})
