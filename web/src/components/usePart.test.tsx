import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderInApp } from './test/render.tsx'
import { usePart } from './usePart.ts'

const FAILED = 'That part could not be loaded. Check your connection and press again.'

function Opener({ load }: { load: () => Promise<{ Part: () => string }> }) {
  const { part, fetchPart } = usePart(load)
  return part ? (
    <part.Part />
  ) : (
    <button type="button" onClick={() => void fetchPart()}>
      Open
    </button>
  )
}

it('keeps the button when the code does not come, says so, and tries anew at the next press', async () => {
  const load = vi
    .fn<() => Promise<{ Part: () => string }>>()
    .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    .mockResolvedValue({ Part: () => 'It is here.' })
  renderInApp(<Opener load={load} />)
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  expect(await screen.findByText(FAILED)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  expect(await screen.findByText('It is here.')).toBeVisible()
  expect(load).toHaveBeenCalledTimes(2)
})

it('asks once, however often it is pressed meanwhile', async () => {
  const load = vi.fn(() => new Promise<{ Part: () => string }>(() => {}))
  renderInApp(<Opener load={load} />)
  await userEvent.dblClick(screen.getByRole('button', { name: 'Open' }))
  expect(load).toHaveBeenCalledTimes(1)
})
