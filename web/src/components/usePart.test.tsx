import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderInApp } from './test/render.tsx'
import { usePart } from './usePart.ts'

const FAILED = 'This part could not be loaded. Check your connection and try again.'

interface OpenerProps {
  load: () => Promise<{ Part: () => string }>
  quiet?: boolean
}

function Opener({ load, quiet = false }: OpenerProps) {
  const { part, failed, fetchPart } = usePart(load, { quiet })
  return part ? (
    <part.Part />
  ) : (
    <button type="button" onClick={() => void fetchPart()}>
      {failed ? 'Open again' : 'Open'}
    </button>
  )
}

it('leaves the words to who asked for them in its place', async () => {
  renderInApp(<Opener load={() => Promise.reject(new TypeError('Failed'))} quiet />)
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  expect(await screen.findByRole('button', { name: 'Open again' })).toBeVisible()
  expect(screen.queryByText(FAILED)).toBeNull()
})

it('keeps the button when the code does not come, says so, and tries anew at the next press', async () => {
  const load = vi
    .fn<() => Promise<{ Part: () => string }>>()
    .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    .mockResolvedValue({ Part: () => 'It is here.' })
  renderInApp(<Opener load={load} />)
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  expect(await screen.findByText(FAILED)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Open again' }))
  expect(await screen.findByText('It is here.')).toBeVisible()
  expect(load).toHaveBeenCalledTimes(2)
})

it('asks once, however often it is pressed meanwhile', async () => {
  const load = vi.fn(() => new Promise<{ Part: () => string }>(() => {}))
  renderInApp(<Opener load={load} />)
  await userEvent.dblClick(screen.getByRole('button', { name: 'Open' }))
  expect(load).toHaveBeenCalledTimes(1)
})
