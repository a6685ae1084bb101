import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import type { Dashboard } from '@/lib/queries/dashboard.ts'
import { LegsChart } from './LegsChart.tsx'

const row = { TotalLeftTeam: 1200, TotalRightTeam: 37 } as Dashboard

function answer(carried: { T_LeftB: string; T_RightB: string }) {
  const self = { lbv: '3.000000', rbv: '2.000000', ...carried }
  vi.stubGlobal('fetch', async () => Response.json({ data: [[self]] }))
}

it('says which volume waits for which leg, and explains its figures on request', async () => {
  answer({ T_LeftB: '12650.000000', T_RightB: '0.000000' })
  renderInApp(<LegsChart row={row} />)
  expect(await screen.findByText('$12,650.00 waits for the right leg.')).toBeVisible()
  expect(screen.getByText('1,200')).toBeVisible()
  expect(screen.getByText('$3.00')).toBeVisible()
  const note = screen.getByText(/includes Robot, Forex and Crypto/)
  expect(note).not.toBeVisible()
  await userEvent.click(screen.getByText('About these figures'))
  expect(note).toBeVisible()
})

it('says when no volume waits', async () => {
  answer({ T_LeftB: '5.000000', T_RightB: '5.000000' })
  renderInApp(<LegsChart row={row} />)
  expect(await screen.findByText('No volume is waiting for the other leg.')).toBeVisible()
})
