import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { Digits } from './Digits.tsx'
import { PasswordField } from './PasswordField.tsx'

function Amount() {
  const [value, setValue] = useState('')
  return <Digits dollars label="Amount" most={10} value={value} onChange={setValue} />
}

async function paste(label: string, text: string) {
  await userEvent.click(screen.getByLabelText(label))
  await userEvent.paste(text)
}

it.each(['1500', '$1,500.00', '1,00,000', '8.540700'])(
  'takes the pasted amount %s',
  async (text) => {
    renderInApp(<Amount />)
    await paste('Amount', text)
    expect(screen.getByLabelText('Amount')).toHaveValue(text.replace(/\..*/, '').replace(/\D/g, ''))
  },
)

it.each(['1,50', '1 000,00', '1e3', '-5', '1.000', '٥٠'])(
  'makes no other amount of the pasted %s, and says so',
  async (text) => {
    renderInApp(<Amount />)
    await paste('Amount', text)
    expect(screen.getByLabelText('Amount')).toHaveValue('')
    expect(await screen.findByText(/isn’t a whole dollar amount/)).toBeVisible()
  },
)

const CENTS = /We left out everything after the point or comma/

it.each(['12.50', '12,50', '12.5.0', '12,500.00'])(
  'takes the dollars that are typed of %s, not a hundredfold, and says so once',
  async (text) => {
    renderInApp(<Amount />)
    await userEvent.type(screen.getByLabelText('Amount'), text)
    expect(screen.getByLabelText('Amount')).toHaveValue('12')
    expect(await screen.findAllByText(CENTS)).toHaveLength(1)
  },
)

it('takes digits again after a deletion, elsewhere, when it is come back to, and from a paste', async () => {
  renderInApp(<Amount />)
  const amount = screen.getByLabelText('Amount')
  await userEvent.type(amount, '12.5{Backspace}7')
  expect(amount).toHaveValue('17')
  await userEvent.type(amount, '.5{Home}2')
  expect(amount).toHaveValue('217')
  await userEvent.type(amount, '.5')
  expect(amount).toHaveValue('217')
  await userEvent.tab()
  await userEvent.type(amount, '8')
  expect(amount).toHaveValue('2178')
  await userEvent.type(amount, '.')
  await userEvent.paste('00')
  expect(amount).toHaveValue('217800')
})

it('leaves out what an input method composes, which cannot be prevented', async () => {
  renderInApp(<Amount />)
  const amount = screen.getByLabelText<HTMLInputElement>('Amount')
  await userEvent.type(amount, '12')
  for (const data of ['.', '5']) {
    const init = { data, inputType: 'insertCompositionText', bubbles: true, cancelable: false }
    amount.setSelectionRange(2, 2)
    fireEvent(amount, new InputEvent('beforeinput', init))
    fireEvent.input(amount, { target: { value: `12${data}` } })
    expect(amount).toHaveValue('12')
  }
})

it('does not cut a pasted password, and says how long one may be', async () => {
  renderInApp(<PasswordField label="Password" maxLength={20} />)
  await paste('Password', 'correct-horse-battery-staple')
  expect(screen.getByLabelText('Password')).toHaveValue('')
  expect(await screen.findByText('The pasted text is longer than 20 characters.')).toBeVisible()
  await paste('Password', 'correct horse')
  expect(screen.getByLabelText('Password')).toHaveValue('correct horse')
})
