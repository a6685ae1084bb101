import { screen, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { Component } from './Transparency.tsx'

const cover = (name: string, owed: string, cash: string, ratio: number) => ({
  class: name,
  owed,
  cash,
  ratio_ppm: ratio,
})

const report = {
  day: '2026-11-17',
  plan: 'default-1',
  digest: 'ab12',
  closed_at: '2026-11-18T01:00:00Z',
  liabilities: [],
  pools: [],
  reserves: [],
  cash: [],
  company: '10',
  coverage: [
    cover('deposits', '100', '100', 1_000_000),
    cover('incomes', '50', '50', 1_000_000),
    cover('trading', '1000', '993', 993_000),
    cover('held', '0', '7', 7_000),
    cover('all', '1150', '1150', 1_000_000),
  ],
  lines: [],
  results: [],
  payouts: [],
  revenue: { gross_final: '0', reversed: '0', net: '0', retail: '0', payout_to_revenue_ppm: 0 },
  income_disclosure: {
    population: 2000,
    share_with_no_income_ppm: 889_000,
    p25: '0',
    median: '0',
    p75: '0',
    p90: '1',
    max: '2',
    share_income_exceeds_own_purchases_ppm: 0,
    top_earner_share_ppm: 0,
    retail_revenue_ppm: 0,
  },
}

beforeEach(() => {
  vi.stubGlobal('fetch', async () => Response.json({ data: report }))
  renderInApp(<Component />, '/Bifolia')
})

it('answers three questions first', async () => {
  const answers = within(await screen.findByRole('region', { name: 'At a glance' }))
  expect(answers.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
    '$1,150.00',
    '100.0%',
    '88.9%',
  ])
  // The same ratios as in the table below: a reader compares them.
  expect(
    answers.getAllByRole('listitem').map((item) => item.querySelector('strong')?.textContent),
  ).toEqual(['100.0%', '100.0%', '99.3%', '+0.7%'])
})

it('shows coverage in rows that add up', async () => {
  const table = within(await screen.findByRole('region', { name: 'Coverage' })).getByRole('table')
  const rows = within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].slice(1).map(({ textContent }) => textContent))
  expect(rows).toEqual([
    ['$100.00', '$100.00', '100.0%'],
    ['$50.00', '$50.00', '100.0%'],
    ['$1,000.00', '$993.00', '99.3%'],
    ['–', '$7.00', '+0.7%'],
    ['$1,150.00', '$1,150.00', '100.0%'],
  ])
})

it('draws a hundred members, with the same in words', async () => {
  const words = '89 of 100 members earned nothing, 11 earned something.'
  const picture = await screen.findByRole('img', { name: words })
  expect(picture.querySelectorAll('circle')).toHaveLength(100)
})
