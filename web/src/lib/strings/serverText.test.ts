import { others } from 'messages:site'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { formatDay, formatMoment, formatMonth } from '../dates.ts'
import { sentences } from './answers/hi/index.ts'
import { setLocale, term, termList } from './serverText.ts'

const hindi = await others.hi?.()

beforeEach(() => setLocale('hi-IN', { ...sentences, ...hindi?.terms }))
afterEach(() => setLocale('en-GB', {}))

it('leaves English as the server says it', () => {
  setLocale('en-GB', {})
  expect(term('Successfully Activated...!!!')).toBe('Successfully Activated...!!!')
  expect(formatDay('2026-11-15')).toBe('15 Nov 2026')
})

it('tells what is known in the language, and nothing else', () => {
  expect(term('Pending')).toBe('लंबित')
  expect(termList('capped, scaled')).toBe('सीमा पूरी, अनुपात में घटाया गया')
  expect(term('Please call me, it is Pending')).toBe('Please call me, it is Pending')
  expect(term('toString')).toBe('toString')
  expect(term('')).toBe('')
})

it('keeps the figures of a sentence, and takes the sentence that says most', () => {
  expect(term('Insufficient balance: $5 are available, and $20 are needed.')).toBe(
    'शेष राशि कम है: $5 उपलब्ध हैं और $20 चाहिए।',
  )
  expect(term('Withdrawal 7 is Sent.')).toBe('निकासी 7 की स्थिति "भेजा गया" है।')
  expect(term('Withdrawal 7 is Sent and can no longer be cancelled.')).toBe(
    'निकासी 7 की स्थिति "भेजा गया" है, वह अब रद्द नहीं हो सकती।',
  )
})

it('tells dates in the language, with the same digits', () => {
  expect(formatDay('2026-11-15')).toBe('15 नव॰ 2026')
  expect(formatMonth('2026-09-01', 'long')).toBe('सितंबर 2026')
  expect(formatMoment('2026-11-15T20:30:00Z', 'Asia/Kolkata')).toBe('16 नव॰ 2026, 02:00')
})
