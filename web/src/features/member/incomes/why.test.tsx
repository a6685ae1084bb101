import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { english } from '@/lib/strings/index.ts'
import { stepsOf, type Why } from './why.tsx'

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
