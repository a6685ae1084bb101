import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { renderInApp } from '../../test/render.tsx'
import { JsonForm } from './JsonForm.tsx'
import type { Json, Mistake } from './tree.ts'

function Form({ initial, mistakes = [] }: { initial: Json; mistakes?: Mistake[] }) {
  const [value, setValue] = useState(initial)
  return (
    <>
      <JsonForm
        value={value}
        path="banks"
        label="Bank account"
        mistakes={mistakes}
        samples={{ banks: { id: 1, bank_name: '' } }}
        onChange={setValue}
      />
      <output>{JSON.stringify(value)}</output>
    </>
  )
}

const shown = () => JSON.parse(screen.getByRole('status').textContent ?? '')

it('lets an empty list grow and shrink, and keeps numbers numbers', async () => {
  renderInApp(<Form initial={[]} />)
  const user = userEvent.setup()
  const add = await screen.findByRole('button', { name: 'Add Bank account' })
  await user.click(add)
  await user.click(add)
  await user.type(screen.getAllByLabelText('Bank')[1] as HTMLElement, 'Second')
  const number = screen.getAllByLabelText(/^Number/)[1] as HTMLElement
  await user.clear(number)
  await user.type(number, '17')
  expect(shown()).toEqual([
    { id: 1, bank_name: '' },
    { id: 17, bank_name: 'Second' },
  ])
  await user.click(screen.getByRole('button', { name: 'Remove Bank account 1' }))
  expect(shown()).toEqual([{ id: 17, bank_name: 'Second' }])
})

it('says what is wrong at its place', async () => {
  const mistakes = [
    { field: 'banks[0].bank_name', message: 'is empty' },
    { field: 'banks', message: 'has too few' },
  ]
  renderInApp(<Form initial={[{ id: 1, bank_name: '' }]} mistakes={mistakes} />)
  expect(await screen.findByLabelText('Bank')).toHaveAccessibleDescription('is empty')
  expect(screen.getByText('has too few')).toBeVisible()
})
