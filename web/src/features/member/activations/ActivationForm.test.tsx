import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { session } from '@/lib/api/session.ts'
import { ActivationForm } from './ActivationForm.tsx'
import { forex, type Line, robot } from './lines.ts'

/** Has the package of 50, 60 in the Robot Fund, and 1,000 in the Forex Fund. */
const OWN = '100001'
const ROW = {
  MyPackage: '50.000000',
  Net_AdminFund: '60.000000',
  Net_AdminFund_Forex: '1000.000000',
}
const PERSON = { result: 'Ada', name: 'Ada', RobotStatus: 1, ForexStatus: 0, CryptoStatus: 0 }
const ANSWERS: Record<string, unknown> = {
  '/api/limits': { login: 10, forgotPassword: 6, transferUser: 6, treeSearch: 8, activation: 10 },
  '/api/check_sponsorid': PERSON,
  '/api/userDashboard': [[ROW]],
}
const PACKAGES = {
  robot: ['50', '100', '1000'].map((amount) => ({ id: amount, name: `Robot ${amount}`, amount })),
  forex: [
    {
      id: '1',
      name: 'Forex',
      amount: '100',
      from: '100',
      to: '500',
      terms: { days: 180, ends: '2027-05-14', member: 700_000, level: 100_000, fee: 200_000 },
    },
  ],
}

beforeEach(() => {
  sessionStorage.clear()
  session.set({ isAuth: true, userId: OWN, username: 'Ada', jwtToken: 't', ipAddress: '' })
  vi.stubGlobal('fetch', async (request: Request) =>
    Response.json({ data: ANSWERS[new URL(request.url).pathname] ?? [[{}]] }),
  )
})

const field = (label: string) => screen.getByLabelText(label)

async function open(line: Line, packages: keyof typeof PACKAGES, balance: string) {
  renderInApp(<ActivationForm line={line} packages={PACKAGES[packages]} nobody="Nobody" />)
  await screen.findAllByText(balance)
  await userEvent.type(field('Transaction Password'), 'secret')
}

/** Presses the button: at a field it is said why, and nothing is asked to be confirmed. */
async function refused(button: string, label: string, text: string) {
  await userEvent.click(await screen.findByRole('button', { name: button }))
  await waitFor(() =>
    expect(field(label)).toHaveAccessibleDescription(expect.stringContaining(text)),
  )
  expect(screen.queryByRole('dialog')).toBeNull()
}

it('does not ask to confirm an investment outside the range of its package', async () => {
  await open(forex, 'forex', '$1,000.00')
  await userEvent.selectOptions(field('Package'), '1')
  for (const amount of ['99', '501', '0100']) {
    await userEvent.clear(field('Amount ($)'))
    await userEvent.type(field('Amount ($)'), amount)
    await refused('Activate', 'Amount ($)', 'Enter an amount from $100.00 to $500.00.')
  }
  await userEvent.clear(field('Amount ($)'))
  await userEvent.type(field('Amount ($)'), '500')
  await userEvent.click(screen.getByRole('button', { name: 'Activate' }))
  expect(await screen.findByRole('dialog')).toBeVisible()
})

it('tells the terms of an investment before the payment and in its confirmation', async () => {
  await open(forex, 'forex', '$1,000.00')
  await userEvent.selectOptions(field('Package'), '1')
  const terms = ['180 days', '14 May 2027', '70%', '10%', '20%', /^No cooling-off/]
  for (const text of terms) expect(screen.getByText(text)).toBeVisible()
  await userEvent.type(field('Amount ($)'), '100')
  await userEvent.click(screen.getByRole('button', { name: 'Activate' }))
  const dialog = within(await screen.findByRole('dialog'))
  for (const text of terms) expect(dialog.getByText(text)).toBeVisible()
  expect(dialog.getByText('Invest $100.00 in Forex for Ada (100001).')).toBeVisible()
})

it('shows on its card what an upgrade costs, and marks the package of the member', async () => {
  await open(robot, 'robot', '$60.00')
  const card = (amount: string) =>
    screen.getByRole('radio', { name: new RegExp(`^Robot ${amount} `) })
  await waitFor(() => expect(card('50')).toHaveTextContent('Your package'))
  expect(card('100')).toHaveTextContent('You pay $50.00 now')
  await choose('1000')
  expect(card('1000')).toBeChecked()
  expect(screen.getByRole('link', { name: 'Add $890.00 to Robot Fund' })).toHaveAttribute(
    'href',
    '/FundRequestECurrency',
  )
})

it('asks for the user id if it is empty', async () => {
  await open(robot, 'robot', '$60.00')
  await userEvent.clear(field('User Id'))
  await userEvent.click(await screen.findByRole('button', { name: 'Activate' }))
  expect(field('User Id')).toHaveAccessibleDescription(
    expect.stringContaining('All the fields are required !!'),
  )
})

/** Chooses a Robot package, which is a card. */
const choose = (amount: string) =>
  userEvent.click(screen.getByRole('radio', { name: new RegExp(`^Robot ${amount} `) }))

it('does not ask to confirm an upgrade to what one has, or that costs more than one has', async () => {
  await open(robot, 'robot', '$60.00')
  await choose('50')
  await refused('Upgrade', 'Package', 'This member already has this package or a larger one.')
  await choose('1000')
  const little = 'You have $60.00 and need $950.00.'
  await refused('Upgrade', 'Package', little)
  await choose('100')
  await userEvent.click(screen.getByRole('button', { name: 'Upgrade' }))
  expect(await screen.findByRole('dialog')).toBeVisible()
})

it("leaves what another's upgrade costs to the server, which alone knows", async () => {
  await open(robot, 'robot', '$60.00')
  await userEvent.clear(field('User Id'))
  await userEvent.type(field('User Id'), '100002')
  await choose('100')
  await userEvent.click(await screen.findByRole('button', { name: 'Upgrade' }))
  expect(await screen.findByRole('dialog')).toBeVisible()
})
