import { screen, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { session } from '@/lib/api/session.ts'
import { Investments } from './Investments.tsx'
import { Component as Lessons } from './Lessons.tsx'
import { Refunds } from './Refunds.tsx'
import { Component as History } from './RobotActivationHistory.tsx'
import { Component as Claims } from './WithdrawalClaim.tsx'

let answer: unknown
beforeEach(() => {
  session.set({ isAuth: true, userId: '100001', username: 'Ada', jwtToken: 't', ipAddress: '' })
  vi.stubGlobal('fetch', async () => Response.json(answer))
})
const list = (...rows: unknown[]) => ({ data: [rows], total: rows.length, sum: '0.000000' })

const SALE = {
  row: 1,
  f_name: 'Ada',
  uid: '100001',
  referby: '100001',
  Amount: '50.000000',
  pp: 'Education',
  remark: 'Activation',
  type: 'FUNDS',
  dd: '2026-11-17',
  at: '2026-11-17T10:00:00Z',
  id: 's1',
  state: 'cooling',
  refundable: true,
}

it('tells the state of each purchase in its remark, and strikes out a refunded one', async () => {
  answer = list(
    { ...SALE, id: 's2', state: 'refunded', refunded: '2026-11-18' },
    { ...SALE, return_until: '2026-12-01' },
    { ...SALE, id: 's3', state: 'final', remark: 'Upgrade' },
  )
  renderInApp(<History />)
  const refunded = await screen.findByText('Activation, refunded 18 Nov 2026')
  const row = within(refunded.closest('tr') as HTMLElement)
  expect(row.getByText('$50.00').closest('s')).not.toBeNull()
  const cooling = screen.getByText('Activation, cooling off until 01 Dec 2026')
  expect(cooling.closest('tr')?.querySelector('s')).toBeNull()
  expect(screen.getByText('Upgrade, final')).toBeVisible()
})

it('offers the return of the newest purchase only, with its last day', async () => {
  answer = list(
    { ...SALE, id: 's2', remark: 'Upgrade', return_until: '2026-11-21', return_days: 3 },
    { ...SALE, refundable: false, upgraded: true, return_until: '2026-11-19', return_days: 1 },
  )
  renderInApp(<Refunds />)
  const [newest, base] = await screen.findAllByRole('listitem')
  expect(newest).toHaveTextContent('Return by 21 Nov 2026, 3 days left')
  expect(within(newest as HTMLElement).getByRole('button')).toBeVisible()
  expect(base).toHaveTextContent('Return the upgrade first')
  expect(base).toHaveTextContent('1 day left')
  expect(within(base as HTMLElement).queryByRole('button')).toBeNull()
})

it('does not offer a claim whose cash is not here', async () => {
  const claim = {
    row: 1,
    sno: 1,
    uid: '100001',
    amount: '9',
    income: '0',
    netamount: '9',
    ss: 'Pending',
  }
  answer = list({ ...claim, id: 'c1', ready: false }, { ...claim, id: 'c2', sno: 2, ready: true })
  renderInApp(<Claims />)
  const [awaited, ready] = await screen.findAllByRole('button', { name: 'Claim Now' })
  expect(awaited).toBeDisabled()
  expect(awaited).toHaveAccessibleDescription('Cash on its way')
  expect(ready).toBeEnabled()
})

it('shows the term, the countdown and the result of an investment', async () => {
  const open = {
    id: 'p1',
    referby: '100001',
    pp: 'Forex Basic',
    Amount: '100.000000',
    dd: '2026-10-01',
    ends: '2027-03-30',
    term: 180,
    days_gone: 48,
    state: 'open',
    result: '-3.500000',
    released: '0.000000',
    loss: '3.500000',
    ready: false,
  }
  answer = list(open, { ...open, id: 'p2', state: 'matured', days_gone: 180, netamount: '96.5' })
  renderInApp(<Investments name="forex" />)
  const [running, ended] = await screen.findAllByRole('listitem')
  expect(running).toHaveTextContent('Ends 30 Mar 2027 · 132 days left')
  expect(running).toHaveTextContent('-$3.50')
  expect(screen.getByRole('progressbar', { name: '48 of 180 days' })).toBeVisible()
  expect(ended).toHaveTextContent('Cash on its way')
  expect(within(ended as HTMLElement).getByRole('link')).toHaveAttribute('href', '/WithdrawalClaim')
})

it('opens the lessons with a package only', async () => {
  const lessons = [{ title: 'Risk before return', paragraphs: ['Decide first.'] }]
  answer = { data: { owner: true, lessons } }
  renderInApp(<Lessons />)
  expect(await screen.findByText('Decide first.')).toBeVisible()
})

it('names the locked lessons to others, and the way to them', async () => {
  answer = { data: { owner: false, lessons: [{ title: 'Risk before return', paragraphs: [] }] } }
  renderInApp(<Lessons />)
  expect(await screen.findByText('Risk before return')).toBeVisible()
  expect(screen.getByRole('link', { name: 'See the packages' })).toBeVisible()
})
