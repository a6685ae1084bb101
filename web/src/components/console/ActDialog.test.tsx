import { fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { confirmOnEnter } from './ActDialog.tsx'

function typed(rows: number) {
  const submit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault())
  renderInApp(
    <form onSubmit={submit} onKeyDown={confirmOnEnter}>
      <textarea aria-label="Remark" rows={rows} />
    </form>,
  )
  return { submit, remark: screen.getByLabelText('Remark') }
}

it('Enter confirms a short text, and Shift+Enter breaks its line', () => {
  const { submit, remark } = typed(3)
  fireEvent.keyDown(remark, { key: 'Enter', shiftKey: true })
  expect(submit).not.toHaveBeenCalled()
  fireEvent.keyDown(remark, { key: 'Enter' })
  expect(submit).toHaveBeenCalledOnce()
})

it('only Ctrl+Enter confirms a long text', () => {
  const { submit, remark } = typed(8)
  fireEvent.keyDown(remark, { key: 'Enter' })
  expect(submit).not.toHaveBeenCalled()
  fireEvent.keyDown(remark, { key: 'Enter', ctrlKey: true })
  expect(submit).toHaveBeenCalledOnce()
})
