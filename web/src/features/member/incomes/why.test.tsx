import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { english } from '@/lib/strings/index.ts'
import { sectionsOf, sentenceOf, stepsOf, technicalOf, type Why } from './why.tsx'

const ROW: Why = {
  row: 7,
  t: 'Roi',
  uid: '100001',
  capped: false,
  nominal: '40.000000',
  paid: '40.000000',
  scaled: false,
  factor_ppm: 1_000_000,
  ss: 'Hold',
  remark: '',
  close: { day: '2026-04-30', digest: 'd', plan: 'v1', committed: '2026-05-01 00:00:00' },
}

const told = (why: Partial<Why>) => {
  render(
    <dl>
      {stepsOf({ ...ROW, ...why }, english).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>,
  )
  return (name: string) => screen.queryByText(name)?.nextElementSibling?.textContent
}

it('tells how a return came out of the booked profit', () => {
  const of = told({ share: '100.000000', repaid: '20.000000', split_ppm: 500_000 })
  expect(of('Share of the profit')).toBe('$100.00')
  expect(of('Of this, used to make up earlier losses')).toBe('$20.00')
  expect(of('Your share')).toBe('50%')
})

it('leaves out what a row does not have', () => {
  const of = told({})
  expect(of('Share of the profit')).toBeUndefined()
  expect(of('Your share')).toBeUndefined()
})

it.each<[string, Partial<Why>]>([
  ['Total matched volume', { t: 'Rank', match_bot: '12.000000', need_match_bot: '10.000000' }],
  ['Strongest leg', { t: 'Reward', leg1: '12.000000', need_leg1: '10.000000' }],
  ['Other legs', { t: 'Reward', otherleg: '12.000000', need_otherleg: '10.000000' }],
  [
    'Team volume that month',
    { t: 'Salary', team_volume: '12.000000', need_team_volume: '10.000000' },
  ],
])('tells what was needed beside what there was: %s', (name, why) => {
  expect(told(why)(name)).toBe('$12.00$10.00 needed')
})

const sentence = (why: Partial<Why>) => sentenceOf({ ...ROW, ...why }, english)
const note = (why: Partial<Why>) =>
  sectionsOf({ ...ROW, ...why }, english).find(({ title }) => title === 'Current status')?.note

it('tells what a daily cap takes', () => {
  const capped: Partial<Why> = {
    t: 'Matching',
    rate_ppm: 80_000,
    matched: '2500',
    cap: '125',
    capped: true,
    uncapped: '200',
    nominal: '125',
    paid: '125',
  }
  expect(sentence(capped)).toBe(
    '$2,500.00 matched in both legs. 8% is $200.00; your package caps it at $125.00 a day.',
  )
  expect(told(capped)('Lost to the cap')).toBe('$75.00')
})

it("tells the trading result and the member's share of it apart", () => {
  const why: Partial<Why> = { onrate: '0.233030', on: '900', result_rate: '0.332900' }
  expect(sentence(why)).toBe(
    'The day’s trading result was 0.3329% of the $900.00 you invested. Your share of it is 0.23303%.',
  )
})

it('tells why an amount is on hold, and does not call it paid', () => {
  expect(note({})).toBe('On hold until this trading result has been settled in cash.')
  expect(note({ ended: '2026-10-31' })).toBe(
    'Your investment ended on 31 Oct 2026. This amount is paid with its claim.',
  )
  expect(note({ ended: '2026-10-31', ss: 'Claimed' })).toBe(
    'Your investment ended on 31 Oct 2026. This amount was paid with its claim.',
  )
  expect(note({ t: 'Level' })).toBe('On hold while your account is under review.')
  const of = told({})
  expect(of('Paid')).toBeUndefined()
  expect(of('On hold')).toBe('$40.00')
})

it('names the person and keeps the digest among the technical details', () => {
  const why: Partial<Why> = { t: 'Level', rate_ppm: 80_000, on: '1000', lvl: 1, uid: '843660' }
  expect(sentence(why)).toBe('You earn 8% of the $1,000.00 purchase by member 843660 (level 1).')
  expect(sentence({ ...why, f_name: 'Ada' })).toContain('by Ada (843660) (level 1).')
  const titles = sectionsOf(ROW, english).map(({ title }) => title)
  expect(titles).not.toContain('Daily close')
  expect(technicalOf(ROW, english).facts.map(([name]) => name)).toContain('Digest of the close')
})
