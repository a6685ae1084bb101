import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { session } from '@/lib/api/session.ts'
import { Component } from './WithdrawLog.tsx'

const row = {
  row: 1,
  sno: 1,
  id: '100226',
  uid: '100226',
  Request_amount: '20.000000',
  admincharge: '0.400000',
  amount: '19.600000',
  withdrawlType: 'USDT',
  Wtype: 'LevelIncome',
  ss: 'Rejected',
  rd: '2026-11-18T17:32:00Z',
  pd: '2026-11-19T09:00:00Z',
  remark: 'papers are missing',
  address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
}

beforeEach(() => {
  sessionStorage.clear()
  session.set({ isAuth: true, userId: '100001', username: 'Ada', jwtToken: 't', ipAddress: '' })
  vi.stubGlobal('fetch', async () =>
    Response.json({ data: [[row]], total: 1, sum: '20.000000', paid: '0.000000' }),
  )
})

it('says how much was paid out below the total of all requests', async () => {
  renderInApp(<Component />)
  expect(await screen.findByText('Paid out: $0.00')).toBeVisible()
})

it('the details of a rejected withdrawal have its reason and its address', async () => {
  renderInApp(<Component />)
  await userEvent.click(await screen.findByRole('button', { name: 'Details: 100226' }))
  const details = await screen.findByRole('dialog', { name: 'Withdrawal 100226' })
  expect(details).toHaveTextContent('papers are missing')
  expect(details).toHaveTextContent(row.address)
  expect(screen.getByRole('list', { name: 'Progress' })).toHaveTextContent(/Requested.*Rejected/)
})
