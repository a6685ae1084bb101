import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import type { Dashboard } from '@/lib/queries/dashboard.ts'
import { Incomes } from './Incomes.tsx'

it('says that its returns hold what was claimed, which the lists leave out', () => {
  const row = new Proxy({}, { get: () => '1.000000' }) as Dashboard
  renderInApp(<Incomes row={row} />)
  expect(screen.getAllByRole('link')).toHaveLength(10)
  expect(screen.getByRole('link', { name: 'User Rank' })).toHaveAttribute('href', '/Userrank')
  expect(screen.getAllByText('$1.00')).toHaveLength(10)
  expect(screen.getByText(/ROI report totals exclude claims/)).toBeVisible()
})
