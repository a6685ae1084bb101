import { expect, it } from 'vitest'
import { countdown, standingOf } from './deposit.ts'

const open = { state: 'open', amount: '100.370000', request: '' } as const
const seen = [{ utrno: '0xab', amount: '100.370000', confirmations: 3, needed: 15 }]

it('an announced payment waits, is seen, and is confirmed', () => {
  expect(standingOf(open, [], [])).toEqual({ kind: 'waiting' })
  expect(standingOf(open, seen, [])).toEqual({ kind: 'seen', confirmations: 3, needed: 15 })
  const paid = { ...open, state: 'paid', request: '7' } as const
  expect(standingOf(paid, [], [{ id: '7', st: 'Approved' }])).toEqual({ kind: 'confirmed' })
})

it('one that ended has expired, unless its payment is on the way or waits for a person', () => {
  const ended = { ...open, state: 'ended' } as const
  expect(standingOf(ended, [], [])).toEqual({ kind: 'expired' })
  expect(standingOf(ended, seen, [])).toMatchObject({ kind: 'seen' })
  const paid = { ...open, state: 'paid', request: '7' } as const
  expect(standingOf(paid, [], [{ id: '7', st: 'Pending' }])).toEqual({ kind: 'person' })
  expect(standingOf(paid, [], [{ id: '7', st: 'Rejected' }])).toEqual({ kind: 'rejected' })
})

it('counts down', () => {
  expect(countdown(7_147_000)).toBe('1:59:07')
  expect(countdown(750_999)).toBe('12:30')
  expect(countdown(9_000)).toBe('0:09')
  expect(countdown(0)).toBe('')
  expect(countdown(-5)).toBe('')
})
