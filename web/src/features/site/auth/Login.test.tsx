import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
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
  // A reload, or Back to this address, does not show the message again.
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
    const data = {
      result: 'Successfull',
      code: 'result.successful',
      resultid: '100001',
      resultusername: 'Ada',
    }
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
  expect(await screen.findByText(/We couldn’t look up your IP address/)).toBeVisible()
})

describe('with a second factor', () => {
  const second = { flow: 'f1', app: true, until: '2026-11-19T10:00:00Z', origin: '' }
  const sent: unknown[] = []
  /** The answers to the second step, in order. */
  let answers: object[] = []

  beforeEach(async () => {
    sent.length = 0
    vi.stubGlobal('fetch', async (request: Request) => {
      const { pathname } = new URL(request.url)
      if (pathname.endsWith('/login/factor')) {
        sent.push(await request.json())
        return Response.json(answers.shift())
      }
      if (pathname.endsWith('/login')) return Response.json({ data: { result: 'More', second } })
      return Response.json({ ip: '127.0.0.1' })
    })
    renderInApp(<Component />, '/Login')
    await userEvent.type(screen.getByLabelText('User ID'), '100001')
    await userEvent.type(screen.getByLabelText('Password'), 'open sesame')
    const button = screen.getByRole('button', { name: 'Login' })
    await waitFor(() => expect(button).toBeEnabled())
    await userEvent.click(button)
    expect(await screen.findByRole('heading', { name: 'Confirm it’s you' })).toBeVisible()
  })

  it('asks for a code after the password, and signs in by it', async () => {
    const data = {
      result: 'Successfull',
      code: 'result.successful',
      resultid: '100001',
      resultusername: 'Ada',
    }
    answers = [{ data: { result: 'This code is wrong.' } }, { data, token: 't' }]
    expect(screen.getByLabelText('Code')).toHaveFocus()
    expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull()
    await userEvent.keyboard('{Enter}')
    expect(sent).toEqual([])
    await userEvent.keyboard('111 111{Enter}')
    expect((await screen.findAllByText('This code is wrong.')).length).toBeGreaterThan(0)
    await userEvent.clear(screen.getByLabelText('Code'))
    await userEvent.keyboard('222222{Enter}')
    expect(await screen.findByText('Login successful!')).toBeVisible()
    const ipaddress = '127.0.0.1'
    expect(sent).toEqual([
      { flow: 'f1', ipaddress, code: '111111' },
      { flow: 'f1', ipaddress, code: '222222' },
    ])
  })

  it('begins again with the password once the time has run out', async () => {
    answers = [{ data: { result: 'This sign-in has run out.', over: true } }]
    await userEvent.type(screen.getByLabelText('Code'), '111111{Enter}')
    expect(await screen.findByRole('heading', { name: 'Login' })).toBeVisible()
    expect(screen.getByLabelText('User ID')).toHaveValue('100001')
    expect(screen.getByLabelText('Password')).toHaveValue('')
  })
})
