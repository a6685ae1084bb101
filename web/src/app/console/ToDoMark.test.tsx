import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { operatorSession } from '@/lib/operator/client.ts'
import { decides, mineOf, type ToDoCounts, useToDo } from '@/lib/operator/queries/toDo.ts'
import { ToDoMark } from './ToDoMark.tsx'

const nothing: ToDoCounts = {
  funds: 0,
  withdrawals: 0,
  approved: 0,
  sent: 0,
  batches: 0,
  claims: 0,
  tickets: 0,
  overdue: 0,
  closes: 0,
  bookings: 0,
  corrections: 0,
  plans: 0,
  brand: 0,
  settings: 0,
  proposals: 0,
  erasures: 0,
}

let role = 'finance'
let funds = 2
let own = false
let batches: object[] = []

/** A server with the given number of fund requests and one correction. */
function answers(path: string): object {
  const list = (total: number) => ({ data: [[]], total })
  switch (path) {
    case '/api/operator/me':
      return { data: { id: '7', email: 'fay@b.example', role } }
    case '/api/operator/fundRequests':
      return list(funds)
    case '/api/operator/tickets':
      return list(5)
    case '/api/operator/close/days':
      return { data: { next: { over: false } } }
    case '/api/operator/bookings':
      return { data: { waiting: [] } }
    case '/api/operator/corrections':
      return { data: { waiting: [{ mayApprove: !own }] } }
    case '/api/operator/plan':
      return { data: { proposals: [] } }
    case '/api/operator/settings':
      return { data: { sections: [] } }
    case '/api/operator/payouts':
      return { data: [batches], total: batches.length }
  }
  return list(0)
}

beforeEach(() => {
  ;[role, funds, own, batches] = ['finance', 2, false, []]
  operatorSession.set({
    isAuth: true,
    userId: '1',
    username: 'o',
    jwtToken: 't',
    ipAddress: '',
  })
  vi.stubGlobal('fetch', async (request: Request) =>
    Response.json(answers(new URL(request.url).pathname)),
  )
})

/** Resolves when every request has been answered. */
function Asked() {
  const { data } = useToDo()
  return data ? <p>{data.counts.corrections} in all</p> : null
}

it('tells how much waits for who looks, asks again when they come back, and leads home', async () => {
  const router = renderInApp(<ToDoMark />, '/admin/funds')
  expect(await screen.findByRole('link', { name: '3 items to do' })).toHaveTextContent('3')
  funds = 0
  act(() => {
    window.dispatchEvent(new Event('visibilitychange'))
  })
  const link = await screen.findByRole('link', { name: '1 item to do' })
  await userEvent.tab()
  expect(link).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/admin'))
})

it('says nothing when nothing waits that this operator may decide', async () => {
  ;[funds, own] = [0, true]
  renderInApp(
    <>
      <ToDoMark />
      <Asked />
    </>,
  )
  expect(await screen.findByText('1 in all')).toBeVisible()
  expect(screen.queryByRole('link')).toBeNull()
})

it('counts by role, and tickets that are overdue once', () => {
  const all: ToDoCounts = {
    ...nothing,
    funds: 1,
    tickets: 10,
    overdue: 4,
    brand: 100,
    proposals: 1000,
  }
  expect(
    ['finance', 'support', 'compliance', 'owner', 'readonly'].map((r) => mineOf(r, all)),
  ).toEqual([1, 10, 110, 1111, 0])
  expect(['finance', 'readonly'].map(decides)).toEqual([true, false])
})

it('leaves out what waits for somebody else than who proposed it', async () => {
  batches = [
    { state: 'proposed', proposed_by: 'fay@b.example' },
    { state: 'proposed', proposed_by: 'olga@b.example' },
  ]
  renderInApp(<ToDoMark />, '/admin/funds')
  expect(await screen.findByRole('link', { name: '4 items to do' })).toHaveTextContent('4')
})
