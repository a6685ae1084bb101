import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { beforeEach, expect, it, vi } from 'vitest'
import { brand } from '@/lib/brand.ts'
import { Landing } from './Landing.tsx'

beforeEach(() => {
  vi.stubGlobal('fetch', async () =>
    Response.json({
      data: {
        day: '2026-11-17',
        coverage: [
          { class: 'all', owed: '786893.040000', cash: '786893.040000', ratio_ppm: 1_000_000 },
        ],
        results: [],
      },
    }),
  )
  render(<Landing />, { wrapper: MemoryRouter })
})

it('has its sections in order', () => {
  const headings = screen
    .getAllByRole('heading', { level: 2 })
    .map(({ textContent }) => textContent)
  expect(headings).toEqual([
    brand.about.heading,
    brand.projects.heading,
    'Our Packages',
    'Faq',
    'Contact Us',
    'About the forex bot',
    'Look at the figures first',
  ])
})

it('leads from the hero to sign-up', () => {
  expect(screen.getByRole('link', { name: 'Sign-Up' })).toHaveAttribute('href', '/Signup')
})

it('shows the four counters', () => {
  const counters = within(screen.getByRole('region', { name: 'In figures' }))
  expect(counters.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
    '$176500',
    '10+',
    '$5.5M',
    '17,502',
  ])
})

it('carries one full risk notice, beside the packages', () => {
  const notices = screen.getAllByRole('complementary')
  expect(notices.map((notice) => notice.getAttribute('aria-label'))).toEqual(['Risk notice'])
  for (const { title, notice } of brand.packages.items) {
    const card = screen.getByRole('heading', { name: title }).closest('li')
    expect(card).toHaveTextContent(notice)
    expect(card).toHaveTextContent('can lose money')
  }
})

it('lists six projects and prices the educational package', () => {
  const projects = screen.getByRole('region', { name: brand.projects.heading })
  expect(within(projects).getAllByRole('listitem')).toHaveLength(6)
  const packages = screen.getByRole('region', { name: 'Our Packages' })
  for (const price of ['$50', 'from $100', 'from $50']) {
    expect(within(packages).getByText(price)).toBeVisible()
  }
  expect(within(packages).getByRole('link', { name: 'View more' })).toBeVisible()
})

it('explores more on request', async () => {
  const [first = ''] = brand.about.paragraphs
  expect(screen.getByText(first)).not.toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Explore More' }))
  expect(screen.getByText(first)).toBeVisible()
})

it('opens the first question only, and groups them so that one is open at a time', () => {
  const items = [...document.querySelectorAll('details')]
  expect(items.map((item) => item.open)).toEqual([true, false, false, false, false, false])
  expect(new Set(items.map((item) => item.getAttribute('name'))).size).toBe(1)
})

it('shows the figures of the last close in the hero', async () => {
  const now = screen.getByRole('region', { name: 'After the last close' })
  expect(await within(now).findByText('$786,893.04')).toBeVisible()
  expect(within(now).getByText('100.0%')).toBeVisible()
  expect(within(now).getByText('As of 17 Nov 2026')).toBeVisible()
})
