import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { StatusBadge } from './StatusBadge.tsx'

it('a rejected request has a cross, in the colour that its list gives it', () => {
  const { container } = render(<StatusBadge word="Rejected" good />)
  expect(container.querySelector('[data-good=true]')).toHaveTextContent('Rejected')
  expect(container.querySelector('.lucide-circle-x')).not.toBeNull()
})
