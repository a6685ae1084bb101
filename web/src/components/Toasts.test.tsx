import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { toast } from '@/lib/toast.ts'
import { Toasts } from './Toasts.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))

it('shows one text once, and starts it anew when it is said again', () => {
  render(<Toasts />)
  act(() => {
    for (let press = 0; press < 8; press++) toast.error('Too little.')
    toast.info('Another.')
  })
  expect(screen.getAllByText('Too little.')).toHaveLength(1)
  expect(screen.getByText('Another.')).toBeVisible()
  pass(3_000)
  act(() => void toast.error('Too little.'))
  pass(3_000)
  expect(screen.getByText('Too little.')).toBeVisible()
  expect(screen.queryByText('Another.')).toBeNull()
  pass(1_100)
  expect(screen.queryByText('Too little.')).toBeNull()
  act(() => void toast.error('Too little.'))
  pass(3_000)
  expect(screen.getByText('Too little.')).toBeVisible()
})

it('shows what is said again in the moment in which it would have ended', () => {
  render(<Toasts />)
  act(() => void toast.success('Paid.'))
  pass(1_999)
  act(() => {
    toast.success('Paid.')
    vi.advanceTimersByTime(1) // before it is drawn
  })
  expect(screen.getByText('Paid.')).toBeVisible()
  pass(1_990)
  expect(screen.getByText('Paid.')).toBeVisible()
})
