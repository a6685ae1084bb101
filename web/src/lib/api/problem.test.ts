import { expect, it } from 'vitest'
import { fieldErrorsOf, isProblem, messageOf } from './problem.ts'

const problem = {
  type: 'about:blank',
  title: 'Bad Request',
  status: 400,
  code: 'invalid',
  detail: 'amount: must be positive',
  showableMessage: 'amount: must be positive',
  request_id: 'r-1',
  errors: [
    { field: 'amount', message: 'must be positive' },
    { field: 'amount', message: 'must be a number' },
    { field: 'constructor', message: 'is required' },
  ],
}

it('tells people what a problem says', () => {
  expect(isProblem(problem)).toBe(true)
  expect(messageOf(problem, 'Something went wrong')).toBe('amount: must be positive')
})

it.each([
  [undefined],
  [null],
  ['<p>Bad Gateway</p>'],
  [new TypeError('fetch failed')],
  [{ status: 400 }],
  [{ ...problem, showableMessage: '' }],
])('says the given sentence for %s', (error) => {
  expect(messageOf(error, 'Something went wrong')).toBe('Something went wrong')
})

it('finds the first message of each field, and none where there are none', () => {
  expect(fieldErrorsOf(problem)).toEqual({
    amount: 'must be positive',
    constructor: 'is required',
  })
  expect(fieldErrorsOf({ ...problem, errors: null })).toEqual({})
  expect(fieldErrorsOf(new TypeError('fetch failed'))).toEqual({})
})
