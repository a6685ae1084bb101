import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { presetDays, Statement } from './Statement.tsx'

const field = (label: string) => screen.getByLabelText(label)
const enter = (label: string, value: string) =>
  fireEvent.change(field(label), { target: { value } })
const save = () => fireEvent.click(screen.getByRole('button', { name: /CSV/ }))

it('asks for no statement of a period that is backwards or to come, and says so at its day', async () => {
  const fetched = vi.fn()
  vi.stubGlobal('fetch', async ({ url }: Request) => {
    if (new URL(url).pathname === '/api/statement') fetched()
    return new Response('Opening balance')
  })
  renderInApp(<Statement />)
  enter('From Date', '2026-01-31')
  enter('To Date', '2026-01-01')
  save()
  expect(field('To Date')).toHaveAccessibleDescription('The end date is before the start date.')
  expect(field('To Date')).toHaveFocus()
  enter('To Date', '')
  expect(field('To Date')).not.toHaveAccessibleDescription()
  enter('From Date', '2999-01-01')
  save()
  expect(field('From Date')).toHaveAccessibleDescription('This date is in the future.')
  enter('From Date', '')
  enter('To Date', '2999-01-01')
  save()
  expect(field('To Date')).toHaveAccessibleDescription('This date is in the future.')
  enter('To Date', '')
  expect(fetched).not.toHaveBeenCalled()
  enter('From Date', '2026-01-31')
  save()
  await waitFor(() => expect(fetched).toHaveBeenCalledOnce())
})

it('promises what the file has: the balance after each entry, not before it as well', () => {
  renderInApp(<Statement />)
  expect(screen.getByText(/every entry of a wallet with its balance/)).toBeVisible()
  expect(screen.queryByText(/before and after/)).toBeNull()
})

it('shows the figures and the newest entries in plain words before a file is made', async () => {
  const data = {
    opening: '0.000000',
    in: '100.000000',
    out: '50.000000',
    closing: '50.000000',
    lines: [
      {
        at: '2026-11-18T17:32:00Z',
        kind: 'buyFor',
        name: '100002 Berta',
        package: 'Education',
        amount: '-50.000000',
        balance: '50.000000',
      },
    ],
  }
  vi.stubGlobal('fetch', async () => Response.json({ data }))
  renderInApp(<Statement />)
  expect(await screen.findByText('Bought Education for 100002 Berta')).toBeVisible()
  expect(screen.getByText('Money in').parentElement).toHaveTextContent('$100.00')
})

it('presets are whole months up to today', () => {
  const today = new Date(2026, 0, 15)
  expect(presetDays('lastMonth', today)).toEqual({ fdate: '2025-12-01', tdate: '2025-12-31' })
  expect(presetDays('month', today)).toEqual({ fdate: '2026-01-01', tdate: '' })
  expect(presetDays('all', today)).toEqual({ fdate: '', tdate: '' })
})
