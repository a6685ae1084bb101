import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { session } from '@/lib/api/session.ts'
import { NoticeBell } from './NoticeBell.tsx'

const notice = (kind: string, more: object) => ({
  kind,
  id: '7',
  state: '',
  name: '',
  from: '',
  f_name: '',
  amount: '100.000000',
  remark: '',
  at: '2026-11-16T01:00:00.000Z',
  unread: false,
  ...more,
})

let rows: object[] = []
let unread = 0
let kind = 'member'
let told: unknown[] = []

beforeEach(() => {
  ;[rows, unread, kind, told] = [[], 0, 'member', []]
  const member = { isAuth: true, userId: '577028', username: 'm', jwtToken: 't', ipAddress: '' }
  session.set(member)
  vi.stubGlobal('fetch', async (request: Request) => {
    switch (new URL(request.url).pathname) {
      case '/api/notices':
        return Response.json({ data: [rows], unread })
      case '/api/sessions':
        return Response.json({ data: [[{ id: '1', kind, current: true, reason: 'r' }]] })
    }
    told.push(await request.json())
    unread = 0
    return Response.json({ data: 'Successfull' })
  })
})

it('counts what is new, says each in a sentence, and tells that it was read', async () => {
  rows = [
    notice('bank', { name: 'FUNDS', state: 'Rejected', remark: 'no such transfer', unread: true }),
    notice('withdrawal', { id: '8', state: 'Sent', name: 'LevelIncome' }),
    notice('received', { id: '10', name: 'FOREXFUNDS', from: '843277', f_name: 'Uitwo Beta' }),
    notice('claim', { id: '9', state: 'Ready', name: 'CRYPTO' }),
  ]
  unread = 1
  const router = renderInApp(<NoticeBell />, '/dashboard')
  await userEvent.click(await screen.findByRole('button', { name: 'Notices, 1 new' }))
  const dialog = await screen.findByRole('dialog', { name: 'Notices' })
  expect(dialog).toHaveTextContent('Your request to add $100.00 to your Robot Fund was rejected.')
  expect(dialog).toHaveTextContent('no such transfer')
  expect(dialog).toHaveTextContent('Your $100.00 withdrawal from Level Income was sent.')
  expect(dialog).toHaveTextContent('Uitwo Beta (843277) sent you $100.00 to your Forex Fund.')
  expect(screen.getByRole('link', { name: 'See all' })).toHaveAttribute('href', '/Notices')
  await waitFor(() => expect(told).toEqual([{ uid: '577028', upto: '2026-11-16T01:00:00.000Z' }]))
  await userEvent.click(screen.getByRole('link', { name: /Collect \$100.00 now/ }))
  expect(router.state.location.pathname).toBe('/WithdrawalClaimCrypto')
  expect(await screen.findByRole('button', { name: 'Notices' })).toBeVisible()
})

it('says that nothing has happened', async () => {
  renderInApp(<NoticeBell />, '/dashboard')
  await userEvent.click(await screen.findByRole('button', { name: 'Notices' }))
  expect(await screen.findByText(/No notices yet/)).toBeVisible()
  expect(told).toEqual([])
})

it('is not read by an operator in a member’s place', async () => {
  kind = 'visit'
  rows = [notice('answer', { unread: true })]
  unread = 1
  renderInApp(<NoticeBell />, '/dashboard')
  await userEvent.click(await screen.findByRole('button', { name: 'Notices, 1 new' }))
  expect(await screen.findByText('We answered your support ticket No. 7.')).toBeVisible()
  expect(told).toEqual([])
})

it('stays open when it is pressed twice at once, and closes when pressed later', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(10_000)
  renderInApp(<NoticeBell />, '/dashboard')
  const bell = () => screen.getByRole('button', { name: 'Notices' })
  await userEvent.dblClick(bell())
  await screen.findByRole('dialog', { name: 'Notices' })
  await userEvent.click(bell())
  expect(bell()).toHaveAttribute('aria-expanded', 'true')
  now.mockReturnValue(11_000)
  await userEvent.click(bell())
  expect(bell()).toHaveAttribute('aria-expanded', 'false')
  await userEvent.dblClick(bell())
  expect(bell()).toHaveAttribute('aria-expanded', 'true')
  now.mockRestore()
})

it('closes by Escape also before it has taken the focus', async () => {
  renderInApp(<NoticeBell />, '/dashboard')
  const bell = () => screen.getByRole('button', { name: 'Notices' })
  await userEvent.click(bell())
  await screen.findByRole('dialog', { name: 'Notices' })
  fireEvent.keyDown(bell(), { key: 'Escape' })
  await waitFor(() => expect(bell()).toHaveAttribute('aria-expanded', 'false'))
})
