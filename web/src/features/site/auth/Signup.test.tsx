import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { Component } from './Signup.tsx'

let silent = true

beforeEach(() => {
  sessionStorage.clear()
  silent = true
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url)
    if (pathname !== '/api/check_sponsorid') return Response.json({ data: [[]] })
    if (silent) throw new TypeError('Failed to fetch')
    return Response.json({ data: { result: 'S.S.', name: 'S.S.' } })
  })
})

it('says that the sponsor could not be looked up, and looks again', async () => {
  renderInApp(<Component />, '/Signup?userid=100001')
  expect(await screen.findByText('The ID could not be checked.')).toBeVisible()
  silent = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByDisplayValue('S.S.')).toBeVisible()
  expect(screen.queryByText('The ID could not be checked.')).toBeNull()
})

it('says that ids were looked up too often, and looks again', async () => {
  let asked = 0
  vi.stubGlobal('fetch', async (request: Request) => {
    if (new URL(request.url).pathname !== '/api/check_sponsorid')
      return Response.json({ data: [[]] })
    if (asked++ > 0) return Response.json({ data: { result: 'S.S.', name: 'S.S.' } })
    return Response.json(
      {
        type: 'about:blank',
        title: 'Too Many Requests',
        status: 429,
        detail: 'Too many tries. Wait a little and try again.',
        code: 'member.too_many_registrations',
        request_id: 'r-1',
        showableMessage: 'Too many tries. Wait a little and try again.',
      },
      { status: 429, headers: { 'Retry-After': '1', 'Content-Type': 'application/problem+json' } },
    )
  })
  renderInApp(<Component />, '/Signup?userid=100001')
  expect(await screen.findByText('Too many tries. Wait a little and try again.')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByDisplayValue('S.S.')).toBeVisible()
})
