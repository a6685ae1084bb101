import { expect, it } from 'vitest'
import { RequestError, requestIdOf } from './errors.ts'

it('finds the request id of a refused call and of a response thrown by a route', () => {
  expect(requestIdOf(new RequestError('refused', 409, 'r-1'))).toBe('r-1')
  expect(requestIdOf({ status: 500, data: { requestId: 'r-2' } })).toBe('r-2')
})

it.each([new Error('x'), new RequestError('x', 500), null, undefined, 'text', { requestId: 7 }])(
  'finds none in %s',
  (error) => {
    expect(requestIdOf(error)).toBeUndefined()
  },
)
