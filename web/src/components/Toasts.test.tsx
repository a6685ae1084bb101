import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { say } from '@/lib/toast.ts'
import { Toasts } from './Toasts.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))

it('shows one text once, and starts it anew when it is said again', () => {
  render(<Toasts />)
  act(() => {
    for (let press = 0; press < 8; press++) say.error('Too little.')
    say.info('Another.')
  })
  expect(screen.getAllByText('Too little.')).toHaveLength(1)
  expect(screen.getByText('Another.')).toBeVisible()
  pass(3_000)
  act(() => void say.error('Too little.'))
  pass(3_000)
  expect(screen.getByText('Too little.')).toBeVisible()
  expect(screen.queryByText('Another.')).toBeNull()
  pass(1_100)
  expect(screen.queryByText('Too little.')).toBeNull()
  act(() => void say.error('Too little.'))
  pass(3_000)
  expect(screen.getByText('Too little.')).toBeVisible()
})

it('on a phone stands above the button in use, and at the bottom otherwise', () => {
  const at = (top: number, bottom: number) => ({ top, bottom }) as DOMRect
  const lift = () =>
    document.querySelector<HTMLElement>('section')?.style.getPropertyValue('--lift')
  render(
    <form>
      <input aria-label="Amount" />
      <button type="submit">Pay</button>
      <Toasts />
    </form>,
  )
  const place = vi.spyOn(screen.getByRole('button'), 'getBoundingClientRect')
  screen.getByRole('textbox').focus()
  place.mockReturnValue(at(innerHeight - 50, innerHeight - 10))
  act(() => void say.error('Above.'))
  expect(lift()).toBe('42px')
  place.mockReturnValue(at(100, 140))
  act(() => void say.error('Below.'))
  expect(lift()).toBe('0px')
})
