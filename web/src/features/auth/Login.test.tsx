import { screen } from '@testing-library/react'
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
