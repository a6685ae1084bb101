import { expect, it } from 'vitest'
import { isProposed, stepOf } from './next.ts'

const day = (due: boolean, digest = '', scheduled = false) => ({ due, digest, scheduled })

it('a day is proposed until an operator has proposed what is seen, and then committed', () => {
  expect(stepOf(day(true), 'a')).toBe('propose')
  expect(stepOf(day(true, 'b'), 'a')).toBe('propose')
  expect(stepOf(day(true, 'a'), 'a')).toBe('commit')
  expect(stepOf(day(false, 'a'), 'a')).toBeUndefined()
})

it('the schedule reminds of a day and proposes nothing', () => {
  expect(isProposed(day(true, 'a', true))).toBe(false)
  expect(stepOf(day(true, 'a', true), 'a')).toBe('propose')
})
