import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { SESSION_ENDED } from '@/lib/session.ts'
import { Component } from './Login.tsx'

const ENDED = 'Your session has ended. Please login to access this resource'

beforeEach(() => {
  vi.stubGlobal('fetch', async () => Response.json({ ip: '127.0.0.1' }))
})

it('says to who comes from a session that has ended why, once', async () => {
  const router = renderInApp(<Component />, '/Login', SESSION_ENDED)
  expect(await screen.findByText(ENDED)).toBeVisible()
  // A reload, or Back to here, finds nothing of it.
  expect(router.state.location.state).toBeNull()
  expect(screen.getByRole('status')).toHaveTextContent(ENDED)
})

it('says nothing to who just opens it', async () => {
  renderInApp(<Component />, '/Login')
  expect(await screen.findByRole('heading', { name: 'Login' })).toBeVisible()
  expect(screen.queryByText(ENDED)).toBeNull()
})

it('opens one session, however often it is pressed on the way', async () => {
  const asked = vi.fn()
  vi.stubGlobal('fetch', async (request: Request) => {
    if (!new URL(request.url).pathname.endsWith('/login')) return Response.json({ ip: '127.0.0.1' })
    asked()
    const data = { result: 'Successfull', resultid: '100001', resultusername: 'Ada' }
    return Response.json({ data, token: 't' })
  })
  renderInApp(<Component />, '/Login')
  await userEvent.type(screen.getByLabelText('User ID'), '100001')
  await userEvent.type(screen.getByLabelText('Password'), 'open sesame')
  const button = screen.getByRole('button', { name: 'Login' })
  await waitFor(() => expect(button).toBeEnabled())
  await userEvent.click(button)
  expect(await screen.findByText('Login successful!')).toBeVisible()
  expect(button).toBeDisabled()
  await userEvent.type(screen.getByLabelText('Password'), '{Enter}')
  expect(asked).toHaveBeenCalledOnce()
})

it('looks busy while the address is looked up, and says so when none came', async () => {
  let giveUp = (_: DOMException) => {}
  const late = new Promise<Response>((_, reject) => {
    giveUp = reject
  })
  vi.stubGlobal('fetch', () => late)
  renderInApp(<Component />, '/Login')
  expect(await screen.findByRole('button', { name: 'Processing..' })).toBeDisabled()
  await userEvent.type(screen.getByLabelText('User ID'), '100001')
  await userEvent.type(screen.getByLabelText('Password'), 'open sesame')
  giveUp(new DOMException('too late', 'TimeoutError'))
  const button = await screen.findByRole('button', { name: 'Login' })
  await userEvent.click(button)
  expect(await screen.findByText(/Your address could not be looked up/)).toBeVisible()
})
