import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { beforeEach, expect, it } from 'vitest'
import { brand } from '@/lib/brand.ts'
import { Landing } from './Landing.tsx'

beforeEach(() => {
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

it('carries the risk notice where returns are currentLocale of', () => {
  const notices = screen.getAllByRole('complementary')
  expect(notices.map((notice) => notice.getAttribute('aria-label'))).toEqual([
    'Risk notice',
    'Risk notice: About the forex bot',
  ])
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
  expect(within(packages).getByText('$50')).toBeVisible()
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

it('draws three charts and says that they are samples', () => {
  const bot = screen.getByRole('region', { name: 'About the forex bot' })
  expect(within(bot).getAllByRole('img')).toHaveLength(3)
  expect(within(bot).getAllByText(/^Sample:/)).toHaveLength(3)
})
