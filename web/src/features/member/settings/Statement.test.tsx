import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { Statement } from './Statement.tsx'

const field = (label: string) => screen.getByLabelText(label)
const enter = (label: string, value: string) =>
  fireEvent.change(field(label), { target: { value } })
const save = () => fireEvent.click(screen.getByRole('button', { name: /CSV/ }))

it('asks for no statement of a period that is backwards or to come, and says so at its day', async () => {
  const fetched = vi.fn(async () => new Response('Opening balance'))
  vi.stubGlobal('fetch', fetched)
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
