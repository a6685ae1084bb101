import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { LegsChart } from './LegsChart.tsx'

it('says what its business counts that the figure above leaves out', async () => {
  const self = { lbv: '3.000000', rbv: '2.000000', T_LeftB: '1.000000', T_RightB: '0.000000' }
  vi.stubGlobal('fetch', async () => Response.json({ data: [[self]] }))
  renderInApp(<LegsChart />)
  expect(await screen.findByText('$3.00')).toBeVisible()
  expect(screen.getByText(/includes Robot, Forex and Crypto/)).toBeVisible()
})
