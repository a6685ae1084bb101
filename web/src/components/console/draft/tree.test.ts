import { expect, it } from 'vitest'
import { at, blankOf, conform, mistakesAt, parseJson, readable, typed, withAt } from './tree.ts'

const doc = { site: { risk: { title: 'a' }, items: [{ n: 1 }, { n: 2 }] } }

it('finds and changes what stands at a path, and leaves the rest alone', () => {
  expect(at(doc, 'site.items[1].n')).toBe(2)
  expect(at(doc, 'site.nowhere[3].n')).toBeUndefined()
  expect(at(doc, '')).toBe(doc)
  const next = withAt(doc, 'site.items[1].n', 7)
  expect(next).toEqual({ site: { risk: { title: 'a' }, items: [{ n: 1 }, { n: 7 }] } })
  expect(doc.site.items[1]?.n).toBe(2)
  expect(withAt(doc, '', 'x')).toBe('x')
})

it('makes another entry of the same shape', () => {
  expect(blankOf({ id: 3, name: 'x', tags: ['a', 'b'] })).toEqual({ id: 0, name: '', tags: [''] })
})

it('names the mistakes of a place and of no other', () => {
  const mistakes = [
    { field: 'a', message: 'is empty' },
    { field: 'a', message: 'is long' },
    { field: 'ab', message: 'x' },
  ]
  expect(mistakesAt(mistakes, 'a')).toBe('is empty; is long')
  expect(mistakesAt(mistakes, 'b')).toBeUndefined()
})

it('knows what is no JSON', () => {
  expect(parseJson('{"a":1}')).toEqual({ value: { a: 1 } })
  expect(parseJson('{')).toBeNull()
})

it('shows a draft that lost its shape as what it should be', () => {
  const sample = { title: 'old', items: [{ text: 'a', note: '' }], n: 1 }
  expect(conform(sample, { title: 7, items: [{ text: 'b' }, null], n: 2, more: 'x' })).toEqual({
    title: 'old',
    items: [
      { text: 'b', note: '' },
      { text: 'a', note: '' },
    ],
    n: 2,
  })
  expect(conform(sample, undefined)).toEqual(sample)
})

it('limits are read as money and typed without empty places', () => {
  expect(readable('withdraw_two_above', '5000.000000')).toBe('$5,000.00')
  expect(readable('fund_two_above', '10000.000000')).toBe('$10,000.00')
  expect(readable('withdraw_two_above', '5000.')).toBe('5000.')
  expect(readable('rate', '5000.000000')).toBe('5000.000000')
  expect(typed('withdraw_two_above', '5000.000000')).toBe('5000.00')
  expect(typed('withdraw_two_above', '0.000001')).toBe('0.000001')
})
