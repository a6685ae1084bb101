import { render, screen, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { beforeEach, expect, it } from 'vitest'
import { en } from '@/lib/strings/en/index.ts'
import { Landing } from './Landing.tsx'

beforeEach(() => {
  render(<Landing />, { wrapper: MemoryRouter })
})

it('leads from the hero to sign-up', () => {
  const [signUp] = screen.getAllByRole('link', { name: 'Sign-Up' })
  expect(signUp).toHaveAttribute('href', '/Signup')
})

it('carries the risk notice', () => {
  const notice = screen.getByRole('complementary', { name: 'Risk notice' })
  expect(notice).toHaveTextContent('You can lose money.')
})

it('marks every service that trades', () => {
  for (const service of [en.services.items.robot, en.services.items.arbitrage]) {
    const card = screen.getByRole('heading', { name: service.title }).closest('li')
    expect(card).toHaveTextContent(en.risk.tag)
  }
})

it('prices the educational package', () => {
  const services = screen.getByRole('region', { name: en.services.heading })
  expect(within(services).getByText('$50.00')).toBeVisible()
})

it('opens the first question only, and groups them so that one is open at a time', () => {
  const items = [...document.querySelectorAll('details')]
  expect(items.map((item) => item.open)).toEqual(items.map((_, index) => index === 0))
  expect(new Set(items.map((item) => item.getAttribute('name'))).size).toBe(1)
})
