import { others } from 'messages:errors'
import { afterEach, expect, it } from 'vitest'
import { setLocale } from '../strings/serverText.ts'
import { errorText, Refusal } from './answer.ts'
import { fieldErrorsOf, isProblem, messageOf, type Problem } from './problem.ts'

const problem: Problem = {
  type: 'about:blank',
  title: 'Bad Request',
  status: 400,
  code: 'withdrawal.not_found',
  params: { id: '7' },
  detail: 'There is no withdrawal 7.',
  showableMessage: 'There is no withdrawal 7.',
  request_id: 'r-1',
}
const ofFields: Problem = {
  ...problem,
  code: 'request.invalid',
  errors: [
    { field: 'amount', code: 'field.required', message: 'is required' },
    { field: 'amount', code: 'field.not_a_number', message: 'must be a number' },
    { field: 'constructor', code: 'field.required', message: 'is required' },
  ],
}

const inHindi = async () => setLocale('hi-IN', { Sent: 'भेजा गया' }, (await others.hi?.()) ?? {})

afterEach(() => setLocale('en-GB', {}, {}))

it('tells people what a problem says', () => {
  expect(isProblem(problem)).toBe(true)
  expect(messageOf(problem)).toBe('There is no withdrawal 7.')
  expect(messageOf(ofFields)).toBe('is required; must be a number')
})

it('translates a problem by its code and parameters, and each field by its own', async () => {
  await inHindi()
  expect(messageOf(problem)).toBe('निकासी 7 नहीं है।')
  expect(fieldErrorsOf(ofFields)).toEqual({ amount: 'आवश्यक है', constructor: 'आवश्यक है' })
  expect(messageOf(ofFields)).toBe('आवश्यक है; संख्या होनी चाहिए')
})

it('translates an error when it is shown', async () => {
  const refusal = new Refusal('', 400, problem)
  expect(errorText(refusal, 'Failed')).toBe('There is no withdrawal 7.')
  await inHindi()
  expect(errorText(refusal, 'Failed')).toBe('निकासी 7 नहीं है।')
})

it.each([
  [undefined],
  [null],
  ['<p>Bad Gateway</p>'],
  [new TypeError('fetch failed')],
  [{ status: 400 }],
])('takes %s for no problem', (body) => {
  expect(isProblem(body)).toBe(false)
})

it.each([
  [new TypeError('fetch failed')],
  [new Refusal('', 502)],
  [new Refusal('', 400, { ...problem, code: '', showableMessage: '' })],
])('says the given sentence for %s', (error) => {
  expect(errorText(error, 'Something went wrong')).toBe('Something went wrong')
})

it('finds the first message of each field, and none where there are none', () => {
  expect(fieldErrorsOf(ofFields)).toEqual({ amount: 'is required', constructor: 'is required' })
  expect(fieldErrorsOf({ ...problem, errors: null })).toEqual({})
  const lines = ['line 3', 'line 4'].map((field) => ({ field, code: 'x', message: 'is required' }))
  expect(Object.keys(fieldErrorsOf({ ...problem, errors: lines }))).toEqual(['line 3', 'line 4'])
})
