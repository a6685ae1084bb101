import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { session } from '@/lib/api/session.ts'
import { renderInApp } from '../test/render.tsx'
import { Digits } from './Digits.tsx'
import { useCheckedForm } from './form.ts'
import { PasswordField } from './PasswordField.tsx'
import { PlainForm } from './PlainForm.tsx'

const KEY = 'bifolia.draft.Pay'
const ADA = { isAuth: true, userId: '100001', username: 'Ada', jwtToken: 't', ipAddress: '' }

interface FormProps {
  call?: () => Promise<string>
  /** A form that empties itself after sending, or shows the saved values. */
  resets?: boolean
  saved?: string
}

function Form({ call = async () => 'success', resets = true, saved = '' }: FormProps) {
  const form = useCheckedForm<{ amount: string; secret: string }>(
    { amount: saved, secret: '' },
    [],
    { screen: 'Pay', fields: ['amount'] },
  )
  return (
    <PlainForm
      form={form}
      call={call}
      outcome={(text) => ({ done: text === 'success', text })}
      onDone={() => (resets ? form.reset() : form.setFieldValue('secret', ''))}
    >
      <Digits label="Amount" most={6} {...form.getInputProps('amount')} />
      <PasswordField label="Secret" {...form.getInputProps('secret')} />
    </PlainForm>
  )
}

const amount = () => screen.getByLabelText('Amount')
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

/** Unmounts the form and mounts another, as a reload or the Back button does. */
function comeBack(props: FormProps = {}) {
  cleanup()
  renderInApp(<Form {...props} />)
}

beforeEach(() => {
  sessionStorage.clear()
  session.set(ADA)
})

it('what was typed is there again after the screen was left, without secrets', async () => {
  renderInApp(<Form />)
  expect(sessionStorage.getItem(KEY)).toBeNull()
  await userEvent.type(amount(), '30')
  await userEvent.type(screen.getByLabelText('Secret'), 'hush')
  comeBack()
  expect(amount()).toHaveValue('30')
  expect(screen.getByLabelText('Secret')).toHaveValue('')
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('hush')
  await press('Discard draft')
  expect(amount()).toHaveValue('')
  expect(sessionStorage.getItem(KEY)).toBeNull()
})

it('what was emptied again, or is as it was saved, is nothing to keep', async () => {
  renderInApp(<Form saved="5" />)
  await userEvent.type(amount(), '0')
  expect(sessionStorage.getItem(KEY)).not.toBeNull()
  await userEvent.type(amount(), '{Backspace}')
  expect(sessionStorage.getItem(KEY)).toBeNull()
})

it.each([true, false])(
  'what was sent is kept no longer (form empties itself: %s)',
  async (resets) => {
    renderInApp(<Form resets={resets} />)
    await userEvent.type(amount(), '30')
    await press('Submit')
    await screen.findByText('success')
    await waitFor(() => expect(sessionStorage.getItem(KEY)).toBeNull())
    comeBack({ resets })
    expect(amount()).toHaveValue('')
  },
)

it('what was refused is kept, and so is the same again after it was sent', async () => {
  const call = vi.fn<() => Promise<string>>().mockResolvedValueOnce('Too much')
  call.mockResolvedValue('success')
  renderInApp(<Form call={call} />)
  await userEvent.type(amount(), '30')
  await press('Submit')
  await screen.findByText('Too much')
  expect(sessionStorage.getItem(KEY)).toContain('30')
  await press('Submit')
  await waitFor(() => expect(amount()).toHaveValue(''))
  await userEvent.type(amount(), '30')
  expect(sessionStorage.getItem(KEY)).toContain('30')
})

it('logging out leaves nothing, though the form is still there; a session that ends leaves it', async () => {
  renderInApp(<Form />)
  await userEvent.type(amount(), '30')
  session.clear()
  await userEvent.type(amount(), '1')
  expect(sessionStorage).toHaveLength(0)

  session.set(ADA)
  comeBack()
  await userEvent.type(amount(), '40')
  cleanup()
  session.expire()
  expect(Object.keys(sessionStorage)).toEqual([KEY])
  session.set({ ...ADA, userId: '100002' })
  comeBack()
  expect(amount()).toHaveValue('')
})
