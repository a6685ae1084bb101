import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { session } from '@/lib/api/session.ts'
import type { Dashboard } from '@/lib/queries/dashboard.ts'
import { GetStarted } from './GetStarted.tsx'
import { Overview } from './Overview.tsx'
import type { Overview as Data } from './queries.ts'

const nothing: Data = {
  available: '0.000000',
  today: '2026-11-19',
  day: '2026-11-18',
  earned: '0.000000',
  earnedBefore: '0.000000',
  month: '0.000000',
  monthBefore: '0.000000',
  loss: '0.000000',
  claims: [],
  moves: [],
  hasAddress: true,
  hasFactor: true,
  joined: new Date().toISOString(),
}

const move = {
  kind: 'withdrawal' as const,
  id: '7',
  state: 'Rejected',
  name: 'LevelIncome',
  way: '',
  amount: '113.680000',
  remark: 'wrong address',
  at: '2026-11-18T01:00:00.000Z',
}
const request = { ...move, kind: 'request' as const, state: 'Pending', name: 'FUNDS', way: 'BANK' }

const owned = (amounts: Partial<Dashboard>) =>
  ({
    ...Object.fromEntries(
      ['MyPackage', 'MyPackage_Forex', 'MyPackage_Crypto', 'Roi_IncomeForex', 'Roi_IncomeCrypto']
        .concat('Net_AdminFund', 'Net_AdminFund_Forex', 'Net_AdminFund_Crypto')
        .map((name) => [name, '0.000000']),
    ),
    TotalLeftReferral: 0,
    TotalRightReferral: 0,
    ...amounts,
  }) as Dashboard

function account(more: object = {}) {
  session.set({ isAuth: true, userId: '577028', username: 'm', jwtToken: 't', ipAddress: '' })
  const data = { confirmed: '2026-11-18T01:00:00Z', transactionPasswordEnds: '', ...more }
  vi.stubGlobal('fetch', async () => Response.json({ data }))
}

it('shows what can be withdrawn, what was earned, and the result of investments', async () => {
  account()
  const overview = { ...nothing, available: '12.345678', earned: '5.000000', loss: '30.000000' }
  overview.monthBefore = '2.000000'
  const row = owned({ MyPackage: '100.000000', Roi_IncomeForex: '10.500000' })
  renderInApp(<Overview row={row} overview={overview} />)
  expect(screen.getByText('$12.35')).toHaveAttribute('title', '$12.345678')
  expect(screen.getByRole('link', { name: 'Withdraw' })).toBeVisible()
  expect(screen.getByText('$5.00 more than the day before')).toBeVisible()
  expect(screen.getByText('$2.00 less than in the same days of Oct 2026')).toBeVisible()
  expect(screen.getByText('Loss so far')).toBeVisible()
  expect(screen.getByText('-$19.50')).toBeVisible()
  expect(await screen.findByText(/Nothing needs your attention/)).toBeVisible()
})

it('lists tasks with their links, and the money in progress', async () => {
  account({ transactionPasswordEnds: '2026-11-30T00:00:00Z' })
  const overview: Data = {
    ...nothing,
    hasAddress: false,
    claims: [{ line: 'CRYPTO', count: 2, amount: '900.000000' }],
    moves: [move, request],
    cooling: { package: 'Education', amount: '50.000000', until: '2026-12-01', count: 1 },
  }
  renderInApp(<Overview row={owned({ MyPackage: '50.000000' })} overview={overview} />)
  expect(await screen.findByRole('link', { name: /Choose your own transaction/ })).toBeVisible()
  for (const [name, to] of [
    ['Collect $900.00 from 2 Crypto claims', '/WithdrawalClaimCrypto'],
    [/^Your \$113.68 withdrawal was rejected\s*wrong address$/, '/WithdrawLog'],
    ['Add your USDT address to withdraw', '/ECurrencyDetails'],
    ['Education: full refund possible until 01 Dec 2026', '/RobotActivation'],
    ['$113.68 for your Robot Fund: waiting for approval', '/FundrequestBank'],
  ] as const) {
    expect(screen.getByRole('link', { name })).toHaveAttribute('href', to)
  }
})

it('guides a new member through the first steps, and shows a pending request', async () => {
  account()
  const overview: Data = { ...nothing, hasFactor: false, moves: [request] }
  renderInApp(<GetStarted row={owned({})} overview={overview} />)
  expect(await screen.findByText('2 of 6 done')).toBeVisible()
  expect(screen.getByText('Waiting for approval')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Set up' })).toHaveAttribute('href', '/Security')
  expect(screen.queryByRole('link', { name: 'Add funds' })).not.toBeInTheDocument()
})

it('is gone once all steps are done, or after a month with a package', async () => {
  account()
  const done = owned({ MyPackage: '50.000000', TotalLeftReferral: 1 })
  renderInApp(
    <>
      <GetStarted row={done} overview={nothing} />
      <GetStarted
        row={owned({ MyPackage: '50.000000' })}
        overview={{ ...nothing, joined: '2026-01-01T00:00:00.000Z' }}
      />
      <GetStarted row={owned({})} overview={nothing} />
    </>,
  )
  expect(await screen.findAllByText('Get started')).toHaveLength(1)
})
