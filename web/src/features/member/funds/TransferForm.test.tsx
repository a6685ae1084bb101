import { MantineProvider } from '@mantine/core'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { session } from '@/lib/api/session.ts'
import { TransferForm } from './TransferForm.tsx'

/** The server's answers by call; other calls fail. */
const ANSWERS: Record<string, unknown> = {
  '/api/limits': { login: 10, forgotPassword: 8, transferUser: 8, treeSearch: 8 },
  '/api/userDashboard': [[{ Net_AdminFund: '40.000000' }]],
}
/** Nobody has ids from here on. */
const NOBODY = '900000'
const lookUp = (id: string) =>
  id < NOBODY
    ? { result: 'R.R.', name: 'Rina Receiver' }
    : { result: 'Sponsor Id doesnot exists !!', code: 'member.sponsor_unknown', name: '' }

/** The look-up of the id fails. */
let silent = false

beforeEach(() => {
  silent = false
  sessionStorage.clear()
  session.set({ isAuth: true, userId: '100001', username: 'Ada', jwtToken: 't', ipAddress: '' })
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url)
    const id = pathname === '/api/check_sponsorid' && searchParams.get('sid')
    if (id && silent) throw new TypeError('Failed to fetch')
    return Response.json({ data: id ? lookUp(id) : (ANSWERS[pathname] ?? [[{}]]) })
  })
})

const field = (label: string) => screen.getByLabelText(label)
const transfer = () => userEvent.click(screen.getByRole('button', { name: 'Fund Transfer' }))

it('takes ids as long as the server has them', async () => {
  renderInApp(<TransferForm onFinish={() => undefined} />)
  await waitFor(async () => {
    await userEvent.clear(field('To UserId'))
    await userEvent.type(field('To UserId'), '123456789')
    expect(field('To UserId')).toHaveValue('12345678')
  })
})

it('refuses a transfer of nothing, or to oneself, at its field and before it is confirmed', async () => {
  renderInApp(<TransferForm onFinish={() => undefined} />)
  await userEvent.type(field('To UserId'), '100001')
  await userEvent.selectOptions(field('Wallet Type'), 'FUNDS')
  await userEvent.type(field('Amount ($)'), '0')
  await transfer()
  const nothing = 'Enter a whole dollar amount of up to 6 digits.'
  expect(field('Amount ($)')).toHaveAccessibleDescription(nothing)
  await waitFor(() => expect(field('Amount ($)')).toHaveFocus())
  await userEvent.clear(field('Amount ($)'))
  await userEvent.type(field('Amount ($)'), '5')
  await transfer()
  expect(field('To UserId')).toHaveAccessibleDescription('You can’t transfer to yourself.')
  await waitFor(() => expect(field('To UserId')).toHaveFocus())
  await transfer()
  expect(field('To UserId')).toHaveAccessibleDescription('You can’t transfer to yourself.')
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('refuses a transfer to nobody, or of more than there is, before it is confirmed', async () => {
  renderInApp(<TransferForm onFinish={() => undefined} />)
  await userEvent.selectOptions(field('Wallet Type'), 'FUNDS')
  await userEvent.type(field('Transaction Password'), 'pin')
  await screen.findAllByText('$40.00')
  await userEvent.type(field('Amount ($)'), '41')
  // Presses the button before the look-up has answered.
  await userEvent.type(field('To UserId'), NOBODY)
  await transfer()
  const nobody = 'Sponsor Id doesnot exists !!'
  await waitFor(() => expect(field('To UserId')).toHaveAccessibleDescription(nobody))
  expect(screen.getAllByText(nobody)).toHaveLength(2)
  await userEvent.clear(field('To UserId'))
  await userEvent.type(field('To UserId'), '100002')
  await transfer()
  const little = 'You have $40.00 and need $41.00.'
  await waitFor(() => expect(field('Amount ($)')).toHaveAccessibleDescription(little))
  expect(screen.queryByRole('dialog')).toBeNull()
  await userEvent.clear(field('Amount ($)'))
  await userEvent.type(field('Amount ($)'), '40')
  await transfer()
  expect(await screen.findByRole('dialog')).toHaveTextContent('Rina Receiver')
})

it('asks nobody to confirm a name that could not be looked up, and looks it up again', async () => {
  silent = true
  renderInApp(<TransferForm onFinish={() => undefined} />)
  await userEvent.selectOptions(field('Wallet Type'), 'FUNDS')
  await userEvent.type(field('Transaction Password'), 'pin')
  await screen.findAllByText('$40.00')
  await userEvent.type(field('Amount ($)'), '5')
  await userEvent.type(field('Transaction Password'), 'secret')
  await userEvent.type(field('To UserId'), '100002')
  const failed = 'The ID could not be checked.'
  expect(await screen.findByText(failed)).toBeVisible()
  await transfer()
  await waitFor(() => expect(field('To UserId')).toHaveAccessibleDescription(failed))
  expect(screen.queryByRole('dialog')).toBeNull()
  silent = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Rina Receiver')).toBeVisible()
  await transfer()
  expect(await screen.findByRole('dialog')).toHaveTextContent('Rina Receiver')
})

it('a refused password is announced as invalid, as any other field', async () => {
  renderInApp(<TransferForm onFinish={() => undefined} />)
  await userEvent.selectOptions(field('Wallet Type'), 'FUNDS')
  await userEvent.type(field('Amount ($)'), '5')
  await userEvent.type(field('To UserId'), '100002')
  expect(field('Transaction Password')).not.toBeInvalid()
  await transfer()
  await waitFor(() => expect(field('Transaction Password')).toBeInvalid())
})

it('the answered dialog keeps its question while it closes', async () => {
  ANSWERS['/api/FundTransferToUser'] = { RESULT: 'Done', code: 'result.done' }
  // With animations, as in a browser.
  renderInApp(
    <MantineProvider env="default">
      <TransferForm onFinish={() => undefined} />
    </MantineProvider>,
  )
  await userEvent.selectOptions(field('Wallet Type'), 'FUNDS')
  await userEvent.type(field('Transaction Password'), 'pin')
  await userEvent.type(field('Amount ($)'), '5')
  await userEvent.type(field('To UserId'), '100002')
  await screen.findByText('Rina Receiver')
  await transfer()
  const dialog = await screen.findByRole('dialog')
  const seen = new Set<string>()
  const watch = new MutationObserver(() => seen.add(dialog.textContent ?? ''))
  watch.observe(document.body, { childList: true, subtree: true, characterData: true })
  await userEvent.click(screen.getByRole('button', { name: /^Confirm/ }))
  await screen.findByText(/received it/)
  watch.disconnect()
  for (const text of seen) expect(text).not.toMatch(/member {2}immediately|\$0\.00.*immediately/)
})
