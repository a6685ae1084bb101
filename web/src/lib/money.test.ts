import { describe, expect, it } from 'vitest'
import {
  axisMoney,
  exactMoney,
  exactPercent,
  exactTitle,
  formatMoney,
  formatPercent,
  isAmount,
  minus,
  share,
  shortMoney,
  signOf,
} from './money.ts'

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
    ['0.004999', '$0.00'],
    ['0.005', '$0.01'],
    ['1.5001', '$1.50'],
    ['0.999999', '$1.00'],
    ['999.995', '$1,000.00'],
    ['-2.344999', '-$2.34'],
    ['-2.345', '-$2.35'],
  ])('rounds %s to the cent, half a cent away from zero: %s', (amount, shown) => {
    expect(formatMoney(amount)).toBe(shown)
  })

  it('keeps the sign', () => {
    expect(formatMoney('-1234.5')).toBe('-$1,234.50')
  })

  it('marks gains on request, and never signs zero', () => {
    expect(formatMoney('12.5', { sign: 'always' })).toBe('+$12.50')
    expect(formatMoney('-12.5', { sign: 'always' })).toBe('-$12.50')
    expect(formatMoney('0.000000', { sign: 'always' })).toBe('$0.00')
    expect(formatMoney('-0.00')).toBe('$0.00')
    expect(formatMoney('-0.000001')).toBe('$0.00')
    expect(formatMoney('0.000001', { sign: 'always' })).toBe('$0.00')
  })

  it('is exact where a float is not', () => {
    // As a float this amount is 9007199254740.994.
    expect(exactMoney('9007199254740.993001')).toBe('$9,007,199,254,740.993001')
    expect(formatMoney('9007199254740.993001')).toBe('$9,007,199,254,740.99')
    expect(formatMoney('9223372036854.775807')).toBe('$9,223,372,036,854.78')
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

describe('exactMoney', () => {
  it.each([
    ['7', '$7.00'],
    ['12.340000', '$12.34'],
    ['0.000001', '$0.000001'],
    ['1234.000001', '$1,234.000001'],
    ['1.5001', '$1.500100'],
    ['-0.000001', '-$0.000001'],
  ])('keeps all six places of %s as soon as one beyond the cents counts: %s', (amount, shown) => {
    expect(exactMoney(amount)).toBe(shown)
  })

  it('is the title of an amount that cents do not show whole', () => {
    expect(exactTitle('1.5001')).toEqual({ title: '$1.500100' })
    expect(exactTitle('1.500000')).toEqual({})
  })
})

it('shows percent with one place, and exactly where asked', () => {
  expect(formatPercent(1_000_826)).toBe('100.1%')
  expect(formatPercent(450_000)).toBe('45.0%')
  expect(exactPercent(20_000)).toBe('2%')
  expect(exactPercent(125_500)).toBe('12.55%')
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
])('writes %s without the dollar sign, all of it: %s', (amount, shown) => {
  expect(shortMoney(amount)).toBe(shown)
})

it('leaves out the cents of an axis if there are none', () => {
  expect([axisMoney(-400), axisMoney(12.5), axisMoney(0)]).toEqual(['-$400', '$12.50', '$0'])
})
