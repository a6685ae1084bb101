import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { describe, expect, it, vi } from 'vitest'
import { landingSections } from '@/features/landing/sections.ts'
import { en } from '@/lib/strings/en.ts'
import { routes } from './router.tsx'
import { publicScreens } from './screens.ts'
import { memberLinks, siteLinks } from './shell/links.ts'

function open(path: string) {
  const router = createMemoryRouter(routes, { initialEntries: [path] })
  render(<RouterProvider router={router} />)
  return router
}

const heading = () => screen.findByRole('heading', { level: 1 })

describe('the table of public screens', () => {
  it('has the public paths, each once', () => {
    expect(publicScreens.map(({ path }) => path)).toEqual([
      '/',
      '/Login',
      '/Signup',
      '/ForgotPassword',
      '/WelcomePage',
      '/AdminLogin',
      '/Bifolia',
      '/ComingSoon',
    ])
  })

  it.each(publicScreens)('opens $path under its title', async ({ path, title }) => {
    open(path)
    expect(await heading()).not.toHaveTextContent(en.notFound.heading)
    expect(document.title).toContain(title(en))
    expect(document.title).toContain(en.brand.name)
  })

  it.each(['/login', '/LOGIN', '/login/'])('finds %s, whatever the case', async (path) => {
    open(path)
    expect(await heading()).toHaveTextContent(en.comingSoon.heading)
    expect(screen.getByRole('main')).toHaveTextContent(en.titles.login)
  })
})

describe('an unknown path', () => {
  it('says so and offers a way home', async () => {
    open('/no/such/page')
    expect(await heading()).toHaveTextContent(en.notFound.heading)
    expect(document.title).toBe('Page not found · Bifolia')
    await userEvent.click(screen.getByRole('link', { name: en.notFound.home }))
    expect(await heading()).toHaveTextContent(en.hero.heading)
  })
})

describe('links', () => {
  const paths = publicScreens.map(({ path }) => path)
  const anchors = landingSections(en).flatMap((section) => ('id' in section ? [section.id] : []))
  const isAlive = (to: string) => {
    const { pathname, hash } = new URL(to, 'http://site')
    return paths.includes(pathname) && (hash === '' || anchors.includes(hash.slice(1)))
  }

  it.each([...siteLinks, ...memberLinks])('$to leads somewhere', ({ to }) => {
    expect(isAlive(to)).toBe(true)
  })

  it('of every section lead somewhere', () => {
    const actions = landingSections(en).flatMap((s) => ('actions' in s ? s.actions : []))
    expect(actions.length).toBeGreaterThan(0)
    expect(actions.filter(({ to }) => !isAlive(to))).toEqual([])
  })

  it('in the header are those of the site, in order', () => {
    expect(siteLinks.map(({ to, label }) => [label(en.links), to])).toEqual([
      ['Home', '/'],
      ['Services', '/#Services'],
      ['About', '/#About'],
      ['Faq', '/#Faq'],
      ['Contact Us', '/#Contact'],
    ])
  })
})

describe('navigation', () => {
  it('moves focus to the new page', async () => {
    open('/')
    const bar = within(screen.getByRole('banner'))
    await userEvent.click(bar.getAllByRole('link', { name: 'Login' })[0] as HTMLElement)
    await waitFor(() => expect(screen.getByRole('main')).toHaveFocus())
  })

  it('moves focus to the section a link names', async () => {
    const router = open('/ComingSoon')
    await userEvent.click(await screen.findByRole('link', { name: en.comingSoon.about }))
    expect(router.state.location.hash).toBe('#About')
    await waitFor(() =>
      expect(screen.getByRole('region', { name: en.about.heading })).toHaveFocus(),
    )
  })

  it('survives a fragment that does not decode', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const router = open('/ComingSoon')
    await heading()
    await act(() => router.navigate('/#%'))
    expect(await heading()).toHaveTextContent(en.hero.heading)
  })

  it('leaves focus alone when the page is first opened', async () => {
    open('/')
    await heading()
    expect(document.body).toHaveFocus()
  })
})
