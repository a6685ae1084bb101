import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import type { Dashboard } from '@/lib/queries/dashboard.ts'
import { LateCharts } from './Dashboard.tsx'

it('says where the pictures would be that they did not come, and fetches them on request', async () => {
  const load = vi
    .fn<() => Promise<typeof import('./Charts.tsx')>>()
    .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    .mockResolvedValue({ Charts: () => <p>The pictures</p> })
  renderInApp(<LateCharts row={{} as Dashboard} load={load} />)
  expect(await screen.findByText('The chart could not be loaded.')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('The pictures')).toBeVisible()
})
