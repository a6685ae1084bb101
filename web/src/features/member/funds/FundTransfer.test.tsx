import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { session } from '@/lib/api/session.ts'
import { Component } from './FundTransfer.tsx'

const ANSWERS: Record<string, unknown> = {
  '/api/check_sponsorid': { result: 'R.R.', name: 'Rina Receiver' },
  '/api/userDashboard': [[{ Net_AdminFund: '40.000000' }]],
}
let answer: (said: Response) => void = () => undefined

beforeEach(() => {
  sessionStorage.clear()
  session.set({ isAuth: true, userId: '100001', username: 'Ada', jwtToken: 't', ipAddress: '' })
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/api/FundTransferToUser') {
      return new Promise<Response>((resolve) => (answer = resolve))
    }
    return Response.json({ data: ANSWERS[pathname] ?? [[]] })
  })
})

const field = (label: string) => screen.getByLabelText(label)
const closers = () => screen.getAllByRole('button', { name: 'Close', hidden: true })

it('a transfer that is on its way is left by nothing before it is answered', async () => {
  renderInApp(<Component />)
  const [opener] = await screen.findAllByRole('button', { name: 'Fund Transfer' })
  if (opener) await userEvent.click(opener)
  await userEvent.type(field('To UserId'), '100002')
  await userEvent.selectOptions(field('Wallet Type'), 'FUNDS')
  await userEvent.type(field('Amount ($)'), '5')
  await userEvent.type(field('Transaction Password'), 'pin')
  const form = screen.getByRole('dialog', { name: 'Fund Transfer' })
  await userEvent.click(within(form).getByRole('button', { name: 'Fund Transfer' }))
  const asked = await screen.findByRole('dialog', { name: 'Please confirm' })
  await userEvent.click(within(asked).getByRole('button', { name: /^Confirm/ }))

  await userEvent.keyboard('{Escape}')
  expect(form).toBeVisible()
  expect(asked).toBeVisible()
  for (const closer of closers()) expect(closer).toBeDisabled()

  answer(Response.json({ data: { RESULT: 'Invalid transaction password.' } }))
  await waitFor(() => expect(asked).not.toBeVisible())
  expect(form).toBeVisible()
  await waitFor(() => expect(within(form).getByRole('button', { name: 'Close' })).toBeEnabled())
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(form).not.toBeVisible())
})
