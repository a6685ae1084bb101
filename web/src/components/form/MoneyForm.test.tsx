import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { Refusal } from '@/lib/api/answer.ts'
import { refreshAll } from '@/lib/queries/dashboard.ts'
import { type Rule, required } from '@/lib/rules/rule.ts'
import { renderInApp } from '../test/render.tsx'
import { Digits } from './Digits.tsx'
import { useCheckedForm } from './form.ts'
import { MoneyForm } from './MoneyForm.tsx'

vi.mock('@/lib/queries/dashboard.ts', { spy: true })

interface Values extends Record<string, unknown> {
  amount: string
}

const rules: readonly Rule<Values>[] = [required('amount', (t) => t.amountRequired)]
type Call = (values: Values, key: string) => Promise<{ result: string; field?: string }>

function Form({ call, balance = () => '100' }: { call: Call; balance?: () => string }) {
  const form = useCheckedForm<Values>({ amount: '' }, rules)
  return (
    <MoneyForm
      form={form}
      submit="Pay"
      priced="amount"
      effect={({ amount }) => ({
        text: 'You pay.',
        wallet: 'Robot Fund',
        balance: balance(),
        amount,
      })}
      call={call}
      outcome={({ result, field }) => ({ done: result === 'success', text: result, field })}
    >
      <Digits dollars label="Amount" most={6} {...form.getInputProps('amount')} />
    </MoneyForm>
  )
}

const amount = () => screen.getByLabelText('Amount')
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

async function pay() {
  await press('Pay')
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: /^Confirm/ }))
}

it('tells the first failing check and goes to its field; nothing is sent', async () => {
  const call = vi.fn<Call>()
  renderInApp(<Form call={call} />)
  await press('Pay')
  expect(await screen.findAllByText('Amount is required')).toHaveLength(2)
  await waitFor(() => expect(amount()).toHaveFocus())
  expect(call).not.toHaveBeenCalled()
})

it('shows the balance before and after, and warns when it is too small', async () => {
  renderInApp(<Form call={vi.fn<Call>()} />)
  await userEvent.type(amount(), '30')
  expect(screen.getByText('$70.00')).toBeVisible()
  await userEvent.type(amount(), '0')
  expect(screen.getByText('-$200.00')).toBeVisible()
  expect(screen.getByText('Your balance is too low.')).toBeVisible()
})

it('takes an amount that is pasted with its cents without them, not a hundredfold', async () => {
  renderInApp(<Form call={vi.fn<Call>()} />)
  await userEvent.click(amount())
  await userEvent.paste('$4,300.00')
  expect(amount()).toHaveValue('4300')
})

it('does not ask about more than there is, but says so at the field', async () => {
  const call = vi.fn<Call>()
  renderInApp(<Form call={call} />)
  await userEvent.type(amount(), '101')
  await press('Pay')
  const text = 'You have $100.00 and need $101.00.'
  await waitFor(() => expect(amount()).toHaveAccessibleDescription(text))
  expect(amount()).toHaveFocus()
  expect(screen.queryByRole('dialog')).toBeNull()
  await userEvent.clear(amount())
  await userEvent.type(amount(), '100')
  await press('Pay')
  expect(await screen.findByRole('dialog')).toBeVisible()
})

it('asks about what was not answered though the balance is too small by now: it may be done', async () => {
  let balance = '100'
  const call = vi.fn<Call>().mockImplementationOnce(async () => {
    balance = '20'
    throw new TypeError('Failed to fetch')
  })
  call.mockResolvedValue({ result: 'success' })
  renderInApp(<Form call={call} balance={() => balance} />)
  await userEvent.type(amount(), '80')
  await pay()
  await screen.findByText(/The server did not respond/)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByText('Your balance is too low.')).toBeVisible()
  await pay()
  expect(await screen.findByText(/your earlier attempt/i)).toBeVisible()
})

it('asks, sends once, tells the outcome and empties the form', async () => {
  const call = vi.fn<Call>().mockResolvedValue({ result: 'success' })
  renderInApp(<Form call={call} />)
  await userEvent.type(amount(), '30')
  await pay()
  expect(await screen.findByText('success')).toBeVisible()
  expect(call).toHaveBeenCalledOnce()
  expect(call.mock.calls[0]?.[0]).toEqual({ amount: '30' })
  await waitFor(() => expect(amount()).toHaveValue(''))
})

it('shows a refusal as a toast and at its field, and keeps what was entered', async () => {
  const call = vi.fn<Call>().mockResolvedValue({ result: 'Too much', field: 'amount' })
  renderInApp(<Form call={call} />)
  await userEvent.type(amount(), '30')
  await pay()
  expect(await screen.findAllByText('Too much')).toHaveLength(2)
  expect(amount()).toHaveValue('30')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(amount()).toHaveFocus())
})

it('after no answer sends the same under the same key until it is done; the next has another', async () => {
  const call = vi
    .fn<Call>()
    .mockRejectedValueOnce(new TypeError('Failed to fetch'))
    .mockRejectedValueOnce(new Refusal('', 503))
    .mockResolvedValueOnce({ result: 'refused' })
    .mockResolvedValue({ result: 'success' })
  renderInApp(<Form call={call} />)
  await userEvent.type(amount(), '30')
  await pay()
  await pay()
  await pay()
  await pay()
  expect(await screen.findByText(/your earlier attempt/i)).toBeVisible()
  await userEvent.type(amount(), '30')
  await pay()
  const keys = call.mock.calls.map(([, key]) => key)
  expect(new Set(keys.slice(0, 4)).size).toBe(1)
  expect(keys[4]).not.toBe(keys[0])
})

it('is at its answer as soon as it asks, and a key that is still held down does not give it', async () => {
  const call = vi.fn<Call>().mockResolvedValue({ result: 'success' })
  renderInApp(<Form call={call} />)
  await userEvent.type(amount(), '30{Enter}')
  const dialog = within(await screen.findByRole('dialog'))
  const answer = dialog.getByRole('button', { name: /^Confirm/ })
  await waitFor(() => expect(answer).toHaveFocus())
  expect(fireEvent.keyDown(answer, { key: 'Enter', repeat: true })).toBe(false)
  expect(call).not.toHaveBeenCalled()
  await userEvent.keyboard('{Enter}')
  expect(await screen.findByText('success')).toBeVisible()
})

it('stays open until the answer is there, whatever is pressed meanwhile', async () => {
  let answer: (said: { result: string }) => void = () => undefined
  const call = vi.fn<Call>(() => new Promise((resolve) => (answer = resolve)))
  renderInApp(<Form call={call} />)
  await userEvent.type(amount(), '30')
  await pay()
  await userEvent.keyboard('{Escape}')
  expect(screen.getByRole('dialog')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Close' })).toBeDisabled()
  answer({ result: 'success' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('takes back what it said was wrong when it is done', async () => {
  const call = vi.fn<Call>().mockResolvedValueOnce({ result: 'Wrong password.' })
  call.mockResolvedValue({ result: 'success' })
  renderInApp(<Form call={call} />)
  await press('Pay')
  expect(await screen.findAllByText('Amount is required')).toHaveLength(2)
  await userEvent.type(amount(), '30')
  await pay()
  expect(await screen.findByText('Wrong password.')).toBeVisible()
  await pay()
  expect(await screen.findByText('success')).toBeVisible()
  expect(screen.queryByText('Wrong password.')).toBeNull()
  expect(screen.queryByText('Amount is required')).toBeNull()
})

it('does not ask about an empty form while balances are read again', async () => {
  vi.mocked(refreshAll).mockReturnValueOnce(new Promise(() => undefined))
  renderInApp(<Form call={vi.fn<Call>().mockResolvedValue({ result: 'success' })} />)
  await userEvent.type(amount(), '30')
  await pay()
  expect(await screen.findByText('success')).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
