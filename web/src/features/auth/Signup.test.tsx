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
    return Response.json({ data: { result: 'S.S.', name: 'Sina Sponsor' } })
  })
})

it('says that the sponsor could not be looked up, and looks again', async () => {
  renderInApp(<Component />, '/Signup?userid=100001')
  expect(await screen.findByText('The id could not be looked up.')).toBeVisible()
  silent = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByDisplayValue('Sina Sponsor')).toBeVisible()
  expect(screen.queryByText('The id could not be looked up.')).toBeNull()
})
