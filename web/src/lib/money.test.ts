import { describe, expect, it } from 'vitest'
import { formatMoney, isAmount, minus, share, shortMoney, signOf } from './money.ts'

describe('formatMoney', () => {
  it.each([
    ['0', '$0.00'],
    ['7', '$7.00'],
    ['999', '$999.00'],
    ['1000', '$1,000.00'],
    ['1234567.5', '$1,234,567.50'],
    ['100000.00', '$100,000.00'],
    ['12.340000', '$12.34'],
  ])('shows %s as dollars with thousands separators: %s', (amount, shown) => {
    expect(formatMoney(amount)).toBe(shown)
  })

  it.each([
    ['0.000001', '$0.000001'],
    ['1234.000001', '$1,234.000001'],
    ['1.5001', '$1.500100'],
    ['0.123456', '$0.123456'],
  ])('keeps all six places of %s as soon as one beyond the cents counts', (amount, shown) => {
    expect(formatMoney(amount)).toBe(shown)
  })

  it('keeps the sign', () => {
    expect(formatMoney('-1234.5')).toBe('-$1,234.50')
    expect(formatMoney('-0.000001')).toBe('-$0.000001')
  })

  it('marks gains on request, and never signs zero', () => {
    expect(formatMoney('12.5', { sign: 'always' })).toBe('+$12.50')
    expect(formatMoney('-12.5', { sign: 'always' })).toBe('-$12.50')
    expect(formatMoney('0.000000', { sign: 'always' })).toBe('$0.00')
    expect(formatMoney('-0.00')).toBe('$0.00')
  })

  it('is exact where a float is not', () => {
    // As a float this amount is 9007199254740.994.
    expect(formatMoney('9007199254740.993001')).toBe('$9,007,199,254,740.993001')
    expect(formatMoney('9223372036854.775807')).toBe('$9,223,372,036,854.775807')
  })

  it.each([
    '',
    ' ',
    'abc',
    '1,000',
    '$5',
    '1.',
    '.5',
    '+5',
    '--5',
    '01',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    '1.0000001',
    ' 1',
    '1 ',
    '1\n',
    '٣',
    '9223372036854.775808',
    '99999999999999999999',
  ])('refuses %j', (garbage) => {
    expect(() => formatMoney(garbage)).toThrow(RangeError)
  })
})

describe('minus', () => {
  it.each([
    ['100', ['30', '0.5'], '69.5'],
    ['0.000001', ['0.000001'], '0'],
    ['1', ['1.000001'], '-0.000001'],
    ['-5', ['-7.25'], '2.25'],
    ['9007199254740.993001', ['0.000001'], '9007199254740.993'],
  ])('takes from %s exactly %j', (amount, others, rest) => {
    expect(minus(amount, ...others)).toBe(rest)
  })
})

it('knows the sign of an amount', () => {
  expect(['-0.000001', '-0', '0.00', '3'].map(signOf)).toEqual([-1, 0, 0, 1])
})

it('tells amounts from other texts', () => {
  expect(['12.5', '007', '', '1,000'].map(isAmount)).toEqual([true, false, false, false])
})

it('takes a share exactly, and drops what is less than a micro-dollar', () => {
  expect(share('100', 20_000)).toBe('2')
  expect(share('0.000001', 999_999)).toBe('0')
  expect(share('9999999999', 1)).toBe('9999.999999')
})

it.each([
  ['300.000000', '300.00'],
  ['-0.5', '-0.50'],
  ['1.234500', '1.2345'],
])('writes %s in a sentence as the server does: %s', (amount, shown) => {
  expect(shortMoney(amount)).toBe(shown)
})
