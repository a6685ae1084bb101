import { others as errorsOf } from 'messages:errors'
import { others } from 'messages:site'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { formatDay, formatMoment, formatMonth } from '../dates.ts'
import { serverText, setLocale, term, termList } from './serverText.ts'

const hindi = { terms: (await others.hi?.())?.terms ?? {}, errors: (await errorsOf.hi?.()) ?? {} }

beforeEach(() => setLocale('hi-IN', hindi.terms, hindi.errors))
afterEach(() => setLocale('en-GB', {}, {}))

it('leaves English as the server says it', () => {
  setLocale('en-GB', {}, {})
  expect(term('Pending')).toBe('Pending')
  expect(serverText('OTP sent successfully!', { code: 'result.code_sent' })).toBe(
    'OTP sent successfully!',
  )
  expect(formatDay('2026-11-15')).toBe('15 Nov 2026')
})

it('translates only known values', () => {
  expect(term('Pending')).toBe('लंबित')
  expect(termList('capped, scaled')).toBe('सीमा पूरी, अनुपात में घटाया गया')
  expect(term('Please call me, it is Pending')).toBe('Please call me, it is Pending')
  expect(term('toString')).toBe('toString')
  expect(term('')).toBe('')
})

it('translates a message by its code, whatever it says in English', () => {
  expect(serverText('Any sentence', { code: 'auth.too_many_tries' })).toBe(
    'बहुत बार कोशिश हुई। थोड़ा रुककर फिर कोशिश करें।',
  )
  const params = { id: '7', state: 'Sent' }
  expect(serverText('Withdrawal 7 is Sent.', { code: 'withdrawal.state', params })).toBe(
    'निकासी 7 की स्थिति "भेजा गया" है।',
  )
})

it('shows a message in English if its code or one of its parameters is unknown', () => {
  expect(serverText('Something new.', { code: 'new.code' })).toBe('Something new.')
  expect(serverText('Something new.', { code: 'toString' })).toBe('Something new.')
  expect(serverText('Written by people.', {})).toBe('Written by people.')
  expect(
    serverText('Withdrawal 7 is Sent.', { code: 'withdrawal.state', params: { id: '7' } }),
  ).toBe('Withdrawal 7 is Sent.')
})

it('translates a parameter that is a message by its own code', () => {
  setLocale('hi-IN', hindi.terms, {
    'outer.code': ({ why }) => `बाहर: ${why}`,
    'middle.code': ({ why }) => `बीच: ${why}`,
    'inner.code': ({ state }) => `भीतर: ${state}`,
  })
  const params = {
    why: 'Middle: Inner: Sent',
    'why.code': 'middle.code',
    'why.why': 'Inner: Sent',
    'why.why.code': 'inner.code',
    'why.why.state': 'Sent',
  }
  expect(serverText('Outer', { code: 'outer.code', params })).toBe('बाहर: बीच: भीतर: भेजा गया')
  const unknown = { why: 'No.', 'why.code': 'new.code' }
  expect(serverText('Outer', { code: 'outer.code', params: unknown })).toBe('बाहर: No.')
})

it('tells dates in the language, with the same digits', () => {
  expect(formatDay('2026-11-15')).toBe('15 नव॰ 2026')
  expect(formatMonth('2026-09-01', 'long')).toBe('सितंबर 2026')
  expect(formatMoment('2026-11-15T20:30:00Z', 'Asia/Kolkata')).toBe('16 नव॰ 2026, 02:00')
})
