import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { session } from '@/lib/api/session.ts'
import { TransferForm } from './TransferForm.tsx'

/** What the server says to each call; anything else it has nothing to say to. */
const ANSWERS: Record<string, unknown> = {
  '/api/limits': { login: 10, forgotPassword: 8, transferUser: 8, treeSearch: 8 },
  '/api/check_sponsorid': { result: 'R.R.', name: 'Rina Receiver' },
}

beforeEach(() => {
  sessionStorage.clear()
  session.set({ isAuth: true, userId: '100001', username: 'Ada', jwtToken: 't', ipAddress: '' })
  vi.stubGlobal('fetch', async (request: Request) =>
    Response.json({ data: ANSWERS[new URL(request.url).pathname] ?? [[{}]] }),
  )
})

const field = (label: string) => screen.getByLabelText(label)
const transfer = () => userEvent.click(screen.getByRole('button', { name: 'Fund Transfer' }))

it('takes ids as long as the server has them', async () => {
  renderInApp(<TransferForm onDone={() => undefined} />)
  await waitFor(async () => {
    await userEvent.clear(field('To UserId'))
    await userEvent.type(field('To UserId'), '123456789')
    expect(field('To UserId')).toHaveValue('12345678')
  })
})

it('refuses a transfer of nothing, or to oneself, at its field and before it is confirmed', async () => {
  renderInApp(<TransferForm onDone={() => undefined} />)
  await userEvent.type(field('To UserId'), '100001')
  await userEvent.selectOptions(field('Wallet Type'), 'FUNDS')
  await userEvent.type(field('Amount ($)'), '0')
  await transfer()
  const nothing = 'The amount is whole dollars above zero, up to 6 digits.'
  expect(field('Amount ($)')).toHaveAccessibleDescription(nothing)
  await waitFor(() => expect(field('Amount ($)')).toHaveFocus())
  await userEvent.clear(field('Amount ($)'))
  await userEvent.type(field('Amount ($)'), '5')
  await transfer()
  expect(field('To UserId')).toHaveAccessibleDescription('You cannot transfer to yourself.')
  await waitFor(() => expect(field('To UserId')).toHaveFocus())
  await transfer()
  expect(field('To UserId')).toHaveAccessibleDescription('You cannot transfer to yourself.')
  expect(screen.queryByRole('dialog')).toBeNull()
})
