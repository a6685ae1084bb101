import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderInApp } from '../test/render.tsx'
import { Pager } from './Pager.tsx'

it('goes to the last page instead of one after it, and stays on any other', () => {
  const onPage = vi.fn()
  const pager = (page: number) => (
    <Pager page={page} size={25} total={51} onPage={onPage} onSize={vi.fn()} />
  )
  renderInApp(pager(9999))
  expect(onPage).toHaveBeenCalledExactlyOnceWith(3, true)
  onPage.mockClear()
  renderInApp(pager(3))
  expect(onPage).not.toHaveBeenCalled()
  expect(screen.getByText(/51–51/)).toBeVisible()
})
