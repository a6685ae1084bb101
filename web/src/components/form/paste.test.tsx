import { screen } from '@testing-library/react'
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
    expect(await screen.findByText(/no amount in whole dollars/)).toBeVisible()
  },
)

it('does not cut a pasted password, and says how long one may be', async () => {
  renderInApp(<PasswordField label="Password" maxLength={20} />)
  await paste('Password', 'correct-horse-battery-staple')
  expect(screen.getByLabelText('Password')).toHaveValue('')
  expect(await screen.findByText('What you pasted is longer than 20 characters.')).toBeVisible()
  await paste('Password', 'correct horse')
  expect(screen.getByLabelText('Password')).toHaveValue('correct horse')
})
