import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, type RouteObject, RouterProvider } from 'react-router'
import { beforeEach, expect, it, vi } from 'vitest'
import { RequestError } from '@/lib/errors.ts'
import { english as en } from '@/lib/strings/index.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { ErrorPage } from './ErrorPage.tsx'
import { RootLayout } from './RootLayout.tsx'
import { RouteError } from './RouteError.tsx'

beforeEach(() => {
  // React and the router log what a boundary caught, which these tests cause on purpose.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})

const thrower = (error: unknown) => (): never => {
  throw error
}

function Throws({ error }: { error: unknown }): never {
  throw error
}

function openRoute(route: RouteObject) {
  const root = { Component: RootLayout, ErrorBoundary: RouteError, children: [route] }
  const router = createMemoryRouter([root], { initialEntries: ['/'] })
  render(<RouterProvider router={router} />)
}

const expectErrorPage = async () => {
  expect(await screen.findByRole('alert')).toHaveTextContent(en.error.heading)
  expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Go home' })).toHaveAttribute('href', '/')
}

it.each([new Error('boom'), 'text', null, undefined])(
  'shows the error page when %s is thrown outside any route',
  async (error) => {
    render(
      <ErrorBoundary>
        <Throws error={error} />
      </ErrorBoundary>,
    )
    await expectErrorPage()
  },
)

it('shows the error page when a route fails to render', async () => {
  openRoute({ path: '/', element: <Throws error={new Error('boom')} /> })
  await expectErrorPage()
  await waitFor(() => expect(document.title).toBe('Something went wrong · Bifolia'))
})

it('shows the error page when the code of a route cannot be loaded', async () => {
  openRoute({ path: '/', lazy: () => Promise.reject(new TypeError('Failed to fetch')) })
  await expectErrorPage()
})

it('never shows the message of the error itself', async () => {
  openRoute({ path: '/', loader: thrower(new Error('secret detail')) })
  await expectErrorPage()
  expect(document.body).not.toHaveTextContent('secret detail')
})

it('shows the request id if the error has one', async () => {
  openRoute({ path: '/', loader: thrower(new RequestError('refused', 500, 'req-42')) })
  await expectErrorPage()
  expect(screen.getByText('req-42')).toBeVisible()
})

it('mentions no request if the error has none', () => {
  render(<ErrorPage error={new Error('boom')} />)
  expect(screen.getByRole('alert')).not.toHaveTextContent(en.error.requestId)
})

it('shows the not-found page when a route answers 404', async () => {
  openRoute({ path: '/', loader: thrower(new Response(null, { status: 404 })) })
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent(en.notFound.heading)
})

it('tries again on request', async () => {
  const onRetry = vi.fn()
  render(<ErrorPage error={new Error('boom')} onRetry={onRetry} />)
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(onRetry).toHaveBeenCalledOnce()
})
