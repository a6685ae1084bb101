import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { RankProgress, RewardProgress } from './Progress.tsx'

const given = (...rows: unknown[]) =>
  vi.stubGlobal('fetch', async () => Response.json({ data: [rows], total: rows.length }))

it('shows the way from the current rank to the next one', async () => {
  const rank = { sno: 1, row: 0, lvl: 1, achieved_ss: 'pending', reward: '50' }
  given(
    {
      ...rank,
      rank: 'Bronze',
      row: 7,
      achieved_ss: 'achieved',
      match_bot: '500',
      reqmatch_bot: '500',
    },
    { ...rank, rank: 'Silver', match_bot: '750', reqmatch_bot: '1000', reward: '150' },
    { ...rank, rank: 'Gold', match_bot: '750', reqmatch_bot: '5000', reward: '500' },
  )
  renderInApp(<RankProgress />)
  expect(await screen.findByText('Bronze')).toBeVisible()
  expect(screen.getByText('Silver')).toBeVisible()
  expect(screen.getByText('$250.00 to go')).toBeVisible()
  expect(screen.getByText('Pays $150.00')).toBeVisible()
  expect(
    screen.getByRole('progressbar', { name: 'Matched volume: $750.00 of $1,000.00' }),
  ).toHaveAttribute('aria-valuenow', '75')
  expect(screen.queryByText('Gold')).toBeNull()
})

it('shows both requirements of a reward', async () => {
  given({
    sno: 1,
    row: 0,
    lvl: 1,
    achieved_ss: 'pending',
    leg1: '900',
    reqleg1: '500',
    otherleg: '100',
    reqotherleg: '400',
    reward: '50',
    salary: '10',
  })
  renderInApp(<RewardProgress />)
  expect(await screen.findByText('None yet')).toBeVisible()
  expect(screen.getByText('Done')).toBeVisible()
  expect(screen.getByText('$300.00 to go')).toBeVisible()
  expect(screen.getByText('Pays $50.00 and $10.00 a month')).toBeVisible()
})
