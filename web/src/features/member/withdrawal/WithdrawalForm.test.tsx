import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { session } from '@/lib/api/session.ts'
import { WithdrawalForm } from './WithdrawalForm.tsx'

const RULES = { withdrawMin: '10.000000', withdrawDaily: '60.000000', withdrawChargePPM: 20_000 }
const ANSWERS: Record<string, unknown> = {
  '/api/userDashboard': [[{ email: 'ada@mail.example' }]],
  '/api/getIncomeAmount': { result: '50.500000' },
  '/api/moneyRules': RULES,
  '/api/Withdrawalupdate': 'Successfull',
}
let mailed: unknown[] = []

beforeEach(() => {
  sessionStorage.clear()
  session.set({ isAuth: true, userId: '100001', username: 'Ada', jwtToken: 't', ipAddress: '' })
  mailed = []
  delete ANSWERS['/api/factor']
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/api/Withdrawalupdate') mailed.push(await request.json())
    return Response.json({ data: ANSWERS[pathname] ?? [[]], code: 'result.successful' })
  })
})

const amount = () => screen.getByLabelText('Amount ($)')

async function sendOtp(wallet: string, dollars: string) {
  await userEvent.selectOptions(screen.getByLabelText('Withdrawal Income Type'), wallet)
  await userEvent.clear(amount())
  if (dollars !== '') await userEvent.type(amount(), dollars)
  await userEvent.click(screen.getByRole('button', { name: 'Send OTP' }))
}

const told = (text: string) =>
  waitFor(() => expect(amount()).toHaveAccessibleDescription(expect.stringContaining(text)))

it('no code is asked for what cannot be withdrawn: that is told at the amount', async () => {
  renderInApp(<WithdrawalForm />)
  await screen.findByDisplayValue('ada@mail.example')
  await sendOtp('', '')
  await told('Please enter Amount')
  await sendOtp('LevelIncome', '0')
  await told('Enter a whole dollar amount of up to 10 digits.')
  await sendOtp('LevelIncome', '9')
  await told('The minimum income withdrawal is $10.00, in whole dollars.')
  await sendOtp('LevelIncome', '61')
  await told('This is above your daily limit of $60.00.')
  await sendOtp('LevelIncome', '51')
  await told('You have $50.50 and need $51.00.')
  expect(amount()).toHaveFocus()
  expect(mailed).toEqual([])

  await sendOtp('LevelIncome', '50')
  expect(await screen.findByText('OTP sent successfully!')).toBeVisible()
  expect(mailed).toMatchObject([{ Request_amount: '50', Wtype: 'LevelIncome' }])
})

it('deposits have no minimum, so a code for a dollar of them is sent', async () => {
  renderInApp(<WithdrawalForm />)
  await screen.findByDisplayValue('ada@mail.example')
  await sendOtp('FundBalance', '1')
  expect(await screen.findByText('OTP sent successfully!')).toBeVisible()
  expect(mailed).toMatchObject([{ Request_amount: '1', Wtype: 'FundBalance' }])
})

it('a code that was mailed before the type was chosen stays valid for the only type', async () => {
  renderInApp(<WithdrawalForm />)
  await screen.findByDisplayValue('ada@mail.example')
  await userEvent.selectOptions(screen.getByLabelText('Withdrawal Type'), '')
  await sendOtp('FundBalance', '1')
  expect(await screen.findByLabelText('OTP')).toBeVisible()
  await userEvent.selectOptions(screen.getByLabelText('Withdrawal Type'), 'USDT')
  expect(screen.queryByText(/details changed/)).toBeNull()
})

it('the next check closes the toast of the last one', async () => {
  renderInApp(<WithdrawalForm />)
  await screen.findByDisplayValue('ada@mail.example')
  await sendOtp('', '')
  await told('Please enter Amount')
  expect(screen.getAllByText('Please enter Amount')).toHaveLength(2)
  await sendOtp('', '20')
  expect(screen.getAllByText('Please Withdrawal Income Type')).toHaveLength(2)
  expect(screen.queryByText('Please enter Amount')).toBeNull()
})

it('Max takes the whole dollars of the balance', async () => {
  renderInApp(<WithdrawalForm />)
  await screen.findByDisplayValue('ada@mail.example')
  await userEvent.selectOptions(screen.getByLabelText('Withdrawal Income Type'), 'LevelIncome')
  await userEvent.click(screen.getByRole('button', { name: 'Max' }))
  expect(amount()).toHaveValue('50')
})

it('tells a running wait before the request', async () => {
  ANSWERS['/api/moneyRules'] = { ...RULES, notBefore: '2026-11-20T17:24:00Z' }
  renderInApp(<WithdrawalForm />)
  expect(await screen.findByText(/^Payments are paused until 20 Nov 2026/)).toBeVisible()
  ANSWERS['/api/moneyRules'] = RULES
})

it('names the funds that a withdrawal of unused funds debits', async () => {
  ANSWERS['/api/userDashboard'] = [
    [{ email: 'ada@mail.example', Net_AdminFund: '3.000000', Net_AdminFund_Forex: '47.500000' }],
  ]
  renderInApp(<WithdrawalForm />)
  await screen.findByDisplayValue('ada@mail.example')
  await userEvent.selectOptions(screen.getByLabelText('Withdrawal Income Type'), 'FundBalance')
  await userEvent.type(amount(), '20')
  expect(screen.getByText('From Robot Fund').parentElement).toHaveTextContent('$3.00')
  expect(screen.getByText('From Forex Fund').parentElement).toHaveTextContent('$17.00')
  ANSWERS['/api/userDashboard'] = [[{ email: 'ada@mail.example' }]]
})

it('the code is typed next, also where the answer was quicker than the eye', async () => {
  renderInApp(<WithdrawalForm />)
  await screen.findByDisplayValue('ada@mail.example')
  await sendOtp('FundBalance', '1')
  await waitFor(() => expect(screen.getByLabelText('OTP')).toHaveFocus())
})

it('Enter sends the code before there is one, as the button does', async () => {
  renderInApp(<WithdrawalForm />)
  await screen.findByDisplayValue('ada@mail.example')
  await userEvent.type(amount(), '{Enter}')
  await told('Please enter Amount')
  await userEvent.selectOptions(screen.getByLabelText('Withdrawal Income Type'), 'FundBalance')
  await userEvent.type(amount(), '1{Enter}')
  const sent = [{ Request_amount: '1', Wtype: 'FundBalance' }]
  await waitFor(() => expect(mailed).toMatchObject(sent))
  expect(await screen.findByLabelText('OTP')).toBeVisible()
})

const FACTOR = { set: '2026-11-01T10:00:00Z', app: true, above: null, passkeys: [], origin: '' }

it('a second factor confirms in place of the mailed code, which is not asked for', async () => {
  ANSWERS['/api/factor'] = FACTOR
  ANSWERS['/api/Withdrawal'] = {
    Result: 'Withdrawal request has been sent !!',
    code: 'result.withdrawal_sent',
  }
  const sent: unknown[] = []
  const { fetch: plain } = globalThis
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.url.endsWith('/api/Withdrawal')) sent.push(await request.clone().json())
    return plain(request)
  })
  renderInApp(<WithdrawalForm />)
  const code = await screen.findByLabelText('Code from the authenticator app')
  expect(screen.queryByRole('button', { name: 'Send OTP' })).toBeNull()
  await userEvent.selectOptions(screen.getByLabelText('Withdrawal Income Type'), 'FundBalance')
  await userEvent.type(amount(), '20{Enter}')
  await waitFor(() =>
    expect(code).toHaveAccessibleDescription(expect.stringContaining('Enter the 6-digit code')),
  )
  await userEvent.type(code, '123456{Enter}')
  const dialog = await screen.findByRole('dialog', { name: 'Please confirm' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Confirm $20.00' }))
  await waitFor(() =>
    expect(sent).toMatchObject([{ Request_amount: '20', otp: '123456', Wtype: 'FundBalance' }]),
  )
  expect(mailed).toEqual([])
})

it('above the amount that operators set, no code is mailed to who has no second factor', async () => {
  ANSWERS['/api/factor'] = { ...FACTOR, set: '', app: false, above: '25.000000' }
  renderInApp(<WithdrawalForm />)
  await screen.findByText(/Withdrawals above \$25.00 need two-step verification/)
  await screen.findByDisplayValue('ada@mail.example')
  await sendOtp('FundBalance', '26')
  await told('Withdrawals above $25.00 need two-step verification.')
  expect(mailed).toEqual([])
  expect(screen.getByRole('link', { name: 'Set it up' })).toHaveAttribute('href', '/Security')
  await sendOtp('FundBalance', '25')
  expect(await screen.findByText('OTP sent successfully!')).toBeVisible()
})
