import { describe, expect, it } from 'vitest'
import { english as en } from '../strings/index.ts'
import * as forms from './forms.ts'
import { atLeast, digits, firstFailure, letters, type Rule } from './rule.ts'

/** Fills a form step by step; each step expects the next error. */
function walk<V>(rules: readonly Rule<V>[], start: V, steps: [text: string, change: Partial<V>][]) {
  let values = start
  for (const [text, change] of steps) {
    expect(firstFailure(values, rules, en)?.text).toBe(text)
    values = { ...values, ...change }
  }
  expect(firstFailure(values, rules, en)).toBeNull()
}

const all = 'All the fields are required !!'
const transaction = 'Transction Password is required'

describe('the checks, in their order', () => {
  it('of the login', () => {
    const both = 'Please enter both User ID and password.'
    walk(forms.loginRules, { userId: '', password: '' }, [
      [both, { userId: '1' }],
      [both, { password: 'x' }],
    ])
  })

  it('of the sign-up', () => {
    const empty: forms.SignupValues = {
      sponsor: '',
      sponsorKnown: undefined,
      name: '',
      country: '',
      mobile: '',
      email: '',
      password: '',
      confirm: '',
      position: '',
      terms: false,
    }
    walk(forms.signupRules, empty, [
      ['Sponsor ID is required', { sponsor: '1'.repeat(16) }],
      [
        'Sponsor Id should not be greater than 15 characters',
        { sponsor: '123456', sponsorKnown: false },
      ],
      ['Invalid Sponsor Id', { sponsorKnown: true }],
      ['User Name is required', { name: 'Ada' }],
      ['User Name must be at least 4 characters', { name: 'A'.repeat(21) }],
      ['User Name should not be greater than 20 characters', { name: 'Ada Lovelace' }],
      ['Country is required', { country: '99' }],
      ['Enter Valid Mobile Number !!', { mobile: '12345678' }],
      ['Enter Valid Mobile Number !!', { mobile: '123456789' }],
      ['Please enter email address', { email: 'ab@c.de' }],
      ['Please enter a valid email address', { email: 'abc@de' }],
      ['Please enter a valid email address', { email: 'abc@d.ef' }],
      ['Password is required', { password: '12345' }],
      ['Password must be at least 6 characters', { password: '123456' }],
      ['Confirm Password is not match', { confirm: '123456' }],
      ['Position is required', { position: '1' }],
      ['Select Terms and Conditions', { terms: true }],
    ])
  })

  it('of fund requests and transfers', () => {
    walk(forms.fundRequestUsdtRules, { amount: '', transactionNumber: '', fundType: '' }, [
      ['Amount is required', { amount: '5' }],
      ['Transaction No. is required', { transactionNumber: 'x' }],
      ['Select Fund Type for request', { fundType: 'FUNDS' }],
    ])
    const empty = { userId: '', amount: '', wallet: '', transactionPassword: '' }
    walk(forms.fundTransferRules('100001'), empty, [
      [all, { userId: '100001' }],
      [all, { amount: '0' }],
      [all, { wallet: 'FUNDS' }],
      ['Enter a whole dollar amount of up to 6 digits.', { amount: '007' }],
      ['Enter a whole dollar amount of up to 6 digits.', { amount: '7' }],
      ['You can’t transfer to yourself.', { userId: '100002' }],
      ['Transction Password is required', { transactionPassword: 'x' }],
    ])
  })

  it('of the withdrawal, and of its OTP', () => {
    const empty = { amount: '', incomeType: '', withdrawalType: '', email: '', otp: '' }
    walk(forms.withdrawalRules, empty, [
      ['Enter Amount !!', { amount: '5' }],
      ['Select Income Type !!', { incomeType: 'LevelIncome' }],
      ['Select Withdrawal Type!!', { withdrawalType: 'USDT' }],
      ['Please Enter Otp', { otp: '123456' }],
    ])
    walk(forms.sendOtpRules, empty, [
      ['Please enter Amount', { amount: '5' }],
      ['Please Withdrawal Income Type', { incomeType: 'LevelIncome' }],
      ['Please enter email address', { email: 'ada@site.example' }],
    ])
  })

  it('of the profile', () => {
    const empty: forms.ProfileValues = {
      firstName: '',
      lastName: '',
      father: '',
      country: '',
      email: '',
      mobile: '',
      dob: '',
      gender: '',
      address: '',
      about: '',
      nominee: '',
      relation: '',
      transactionPassword: '',
    }
    walk(forms.profileRules, empty, [
      ['User Name is required', { firstName: 'Ada' }],
      ['User Name must be at least 4 characters', { firstName: 'Adah' }],
      ['Last Name is required', { lastName: 'Li' }],
      ['Last Name must be at least 4 characters', { lastName: 'Lima' }],
      ['Father/Husband Name is required', { father: 'Bo' }],
      ['Father/Husband Name must be at least 4 characters', { father: 'Bolo' }],
      ['Country is required', { country: '99' }],
      ['Please enter email address', { email: 'x' }],
      ['Please enter a valid email address', { email: 'adah@site.example' }],
      ['Mobile Number is required', { mobile: '123456789' }],
      ['Date of Birth is required', { dob: '1990-01-31' }],
      ['Gender is required', { gender: 'Female' }],
      ['Address is required', { address: 'x' }],
      ['About Us is required', { about: 'x' }],
      ['Nominee Name is required', { nominee: 'Cy' }],
      ['Nominee Name must be at least 4 characters', { nominee: 'Cyan' }],
      ['Nominee Relation is required', { relation: 'Son' }],
      [transaction, { transactionPassword: 'x' }],
    ])
  })

  it('of passwords, the wallet address and the bank', () => {
    walk(forms.newPasswordRules, { old: '', next: '', confirm: '', otp: '' }, [
      [all, { old: 'a' }],
      [all, { next: 'b' }],
      [all, { confirm: 'c' }],
      ['New password & cofirm password is not same !!', { confirm: 'b' }],
    ])
    walk(forms.walletRules, { address: '', transactionPassword: '' }, [
      ['Please enter ecurrency address !!', { address: '0x' }],
      [transaction, { transactionPassword: 'x' }],
    ])
    const bank = {
      holder: '',
      account: '',
      ifsc: '',
      bank: '',
      branch: '',
      pan: '',
      aadhar: '',
      transactionPassword: '',
    }
    walk(forms.bankRules, bank, [
      ['Holder Name is required', { holder: 'x' }],
      ['Account No. is required', { account: 'x' }],
      ['Ifsc is required', { ifsc: 'x' }],
      ['Pan No. is required', { pan: 'x' }],
      ['Aadhar no. is required', { aadhar: 'x' }],
      [transaction, { transactionPassword: 'x' }],
    ])
  })

  it('of activations, claims and support', () => {
    walk(forms.activationRules, { userId: '', package: '', amount: '', transactionPassword: '' }, [
      [all, { userId: '1' }],
      [all, { package: '1' }],
      [transaction, { transactionPassword: 'x' }],
    ])
    const range = [forms.rangeRule('100.000000', '500.000000')]
    const outside = 'Enter an amount from $100.00 to $500.00.'
    walk(range, { userId: '1', package: '1', amount: '99', transactionPassword: 'x' }, [
      [outside, { amount: '501' }],
      [outside, { amount: '0100' }],
      [outside, { amount: '100' }],
    ])
    walk(forms.claimRules, { id: '', uid: '' }, [
      [all, { id: '1' }],
      [all, { uid: '1' }],
    ])
    walk(forms.supportRules, { query: '  ' }, [['Query is required', { query: 'Why?' }]])
  })
})

it('lets only digits, or letters and spaces, into an input, and no more than fit', () => {
  expect(digits('12a 3-4\n5', 4)).toBe('1234')
  expect(letters("D’Arcy O'Neill-Rao", 20)).toBe("D’Arcy O'Neill-Rao")
  expect(letters('Ada 7 Love_lace', 8)).toBe('Ada  Lov')
})

it('cuts no letter in two that has two units', () => {
  const gothic = '𐌰𐌱𐌲'
  expect(letters(gothic, 2)).toBe('𐌰𐌱')
  expect(letters(gothic, 3)).toBe(gothic)
  expect(letters(`A${gothic}`, 2)).toBe('A𐌰')
  const rules = [atLeast<{ name: string }>('name', 3, (t) => t.nameShort)]
  expect(firstFailure({ name: '𐌰𐌱' }, rules, en)).not.toBeNull()
  expect(firstFailure({ name: gothic }, rules, en)).toBeNull()
  // A split character is dropped, at either end.
  expect(letters('A\ud800B', 3)).toBe('AB')
})
