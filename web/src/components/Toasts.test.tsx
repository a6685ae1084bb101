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

it('shows what is said again in the moment in which it would have ended', () => {
  render(<Toasts />)
  act(() => void say.success('Paid.'))
  pass(1_999)
  act(() => {
    say.success('Paid.')
    vi.advanceTimersByTime(1) // before it is drawn
  })
  expect(screen.getByText('Paid.')).toBeVisible()
  pass(1_990)
  expect(screen.getByText('Paid.')).toBeVisible()
})
