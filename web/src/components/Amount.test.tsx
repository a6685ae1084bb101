import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Amount } from './Amount.tsx'

it('shows cents, and the exact amount on hover', () => {
  render(<Amount value="12.345678" />)
  expect(screen.getByText('$12.35')).toHaveAttribute('title', '$12.345678')
})

it('has no title where cents show all of it', () => {
  render(<Amount value="-12.5" />)
  expect(screen.getByText('-$12.50')).not.toHaveAttribute('title')
})
