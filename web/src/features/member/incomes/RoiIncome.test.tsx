import { screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { Component as Crypto } from './RoiIncomeCrypto.tsx'
import { Component as Forex } from './RoiIncomeForex.tsx'
import { Component as ForexLevel } from './RoiLevelIncomeForex.tsx'

beforeEach(() => {
  vi.stubGlobal('fetch', async () => Response.json({ data: [[]], total: 0, sum: '0.000000' }))
})

const WHY =
  /Claimed rows were paid with the claim of their investment and are included on the dashboard/

it.each([Forex, Crypto])('says why its total is not what the dashboard shows', async (Screen) => {
  renderInApp(<Screen />)
  expect(await screen.findByText(WHY)).toBeVisible()
})

it('says nothing of claims where there are none', async () => {
  renderInApp(<ForexLevel />)
  expect(await screen.findByText('( Total : $0.00 )')).toBeVisible()
  expect(screen.queryByText(WHY)).toBeNull()
})
