import { screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { session } from '@/lib/api/session.ts'
import { Component as LevelDetails } from './LevelDetails.tsx'
import { Component as MyTeam } from './MyTeam.tsx'

beforeEach(() => {
  session.set({ isAuth: true, userId: '100001', username: 'Ada', jwtToken: 't', ipAddress: '' })
  vi.stubGlobal('fetch', async () => Response.json({ data: [[]], total: 0 }))
})

it('My Team says that its levels are of the tree', async () => {
  renderInApp(<MyTeam />)
  expect(await screen.findByText(/Level is the depth in your tree/)).toBeVisible()
})

it('Level Details says that its levels are along sponsors', async () => {
  renderInApp(<LevelDetails />)
  expect(await screen.findByText(/Level counts by sponsor/)).toBeVisible()
})
