import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderInApp } from '../test/render.tsx'
import { moneyColumn, statusColumn, textColumn } from './columns.tsx'
import { dateFilters, positionFilter } from './filters.ts'
import { type Report, ReportList, type ReportQuery, reportScreen } from './ReportScreen.tsx'

interface Row {
  uid: string
  amount: string
  status: string
}

const rows: Row[] = [
  { uid: '100001', amount: '1234.5', status: 'Active' },
  { uid: '100002', amount: '-3', status: 'Inactive' },
]

function report(call: Report<Row>['call'], more: Partial<Report<Row>> = {}): Report<Row> {
  return {
    name: 'Test',
    call,
    rowKey: ({ uid }) => uid,
    empty: () => 'Nothing yet.',
    columns: () => [
      textColumn('User Id', (row) => row.uid, { sort: 'uid' }),
      moneyColumn('Amount', (row) => row.amount),
      statusColumn(
        'Status',
        (row) => row.status,
        (row) => row.status === 'Active',
      ),
    ],
    ...more,
  }
}

const open = (given: Report<Row>, address?: string) =>
  renderInApp(<ReportList report={given} label="Test" />, address)

it('numbers the rows of the page, counts all, and shows amounts as money', async () => {
  open(
    report(async () => ({ rows, total: 52 })),
    '/?page=2',
  )
  const table = await screen.findByRole('table')
  expect(await within(table).findByRole('cell', { name: '26' })).toBeVisible()
  expect(within(table).getByRole('cell', { name: '$1,234.50' })).toBeVisible()
  expect(within(table).getByRole('cell', { name: '-$3.00' })).toBeVisible()
  expect(screen.getByText('26–50 of 52 rows')).toBeVisible()
})

it('puts the total of the whole list into the heading', async () => {
  const Screen = reportScreen(report(async () => ({ rows, total: 2, sum: '1231.5' })))
  renderInApp(<Screen />)
  expect(await screen.findByText('( Total : $1,231.50 )')).toBeVisible()
})

it('asks again when filters or order change, from the first page, and keeps them in the address', async () => {
  const call = vi.fn(async (_: ReportQuery) => ({ rows, total: 100 }))
  const router = open(
    report(call, { filters: (s) => [positionFilter(s), ...dateFilters(s)] }),
    '/?page=3',
  )
  await screen.findByRole('cell', { name: '100001' })
  expect(call).toHaveBeenLastCalledWith({
    uid: '',
    page: 3,
    size: 25,
    position: '0',
    fdate: '',
    tdate: '',
  })
  await userEvent.selectOptions(screen.getByLabelText('Position'), 'Right')
  expect(call).toHaveBeenCalledTimes(1)
  await userEvent.click(screen.getByRole('button', { name: 'Search' }))
  expect(router.state.location.search).toBe('?position=2')
  expect(call).toHaveBeenLastCalledWith(expect.objectContaining({ page: 1, position: '2' }))
  await userEvent.click(screen.getByRole('button', { name: 'User Id' }))
  expect(call).toHaveBeenLastCalledWith(expect.objectContaining({ sort: 'uid' }))
  await userEvent.click(screen.getByRole('button', { name: 'User Id' }))
  expect(router.state.location.search).toBe('?position=2&sort=-uid')
})

it('takes what the address says that no filter knows for untouched', async () => {
  const call = vi.fn(async (_: ReportQuery) => ({ rows, total: 2 }))
  open(
    report(call, { filters: (s) => [positionFilter(s), ...dateFilters(s)] }),
    '/?page=-1&size=7&position=9&fdate=<script>',
  )
  await screen.findByRole('cell', { name: '100001' })
  expect(call).toHaveBeenCalledWith({
    uid: '',
    page: 1,
    size: 25,
    position: '0',
    fdate: '',
    tdate: '',
  })
})

it('says what would stand in an empty list', async () => {
  open(report(async () => ({ rows: [], total: 0 })))
  expect(await screen.findByText('Nothing yet.')).toBeVisible()
})

it('says that a filter leaves nothing, and clears it', async () => {
  const call = vi.fn(async ({ position, fdate }: ReportQuery) =>
    position === '0' && fdate === '' ? { rows, total: 2 } : { rows: [], total: 0 },
  )
  const filtered = report(call, { filters: (s) => [positionFilter(s), ...dateFilters(s)] })
  const router = open(filtered, '/?position=2&fdate=2026-01-31&other=1')
  expect(await screen.findByText('No matches for these filters.')).toBeVisible()
  expect(screen.queryByText('Nothing yet.')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(await screen.findByRole('cell', { name: '100001' })).toBeVisible()
  expect(router.state.location.search).toBe('?other=1')
  expect(screen.getByLabelText('Position')).toHaveValue('0')
  expect(screen.getByLabelText('Position')).toHaveFocus()
  expect(screen.getByLabelText('From Date')).toHaveValue('')
})

it.each([
  ['page=1000000000', { page: 1_000_000 }],
  ['page=1e400', { page: 1_000_000 }],
  ['page=abc', { page: 1 }],
  ['page=1.5', { page: 1 }],
  ['fdate=2026-02-30&tdate=2026-13-01', { fdate: '', tdate: '' }],
  ['fdate=2026-12-01&tdate=2026-01-01', { fdate: '', tdate: '' }],
  ['fdate=2026-01-01&tdate=2026-01-01', { fdate: '2026-01-01', tdate: '2026-01-01' }],
  ['fdate=0001-01-01&tdate=9999-12-31', { fdate: '', tdate: '9999-12-31' }],
])('asks for nothing that the server refuses: %s', async (address, asked) => {
  const call = vi.fn(async (_: ReportQuery) => ({ rows, total: 2 }))
  const router = open(report(call, { filters: dateFilters }), `/?${address}`)
  await screen.findByRole('cell', { name: '100001' })
  expect(call.mock.calls[0]?.[0]).toMatchObject(asked)
  // The last page has rows.
  expect(call.mock.lastCall?.[0].page).toBe(1)
  expect(router.state.location.search).not.toContain('1000000')
})

it('keeps the roles of a table, whose rows are cards on a phone', async () => {
  open(report(async () => ({ rows, total: 2 })))
  const cell = await screen.findByRole('cell', { name: '100001' })
  expect(cell).toHaveAttribute('data-label', 'User Id')
  expect(screen.getByRole('table')).toHaveAttribute('role', 'table')
  expect(cell.closest('tr')).toHaveAttribute('role', 'row')
})

it('shows what went wrong, and tries again on request', async () => {
  const call = vi
    .fn<Report<Row>['call']>()
    .mockRejectedValueOnce(new TypeError('Failed to fetch'))
    .mockResolvedValue({ rows, total: 2 })
  open(report(call))
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('cell', { name: '100001' })).toBeVisible()
})

it('says that the rows are old when asking for them again fails', async () => {
  const call = vi
    .fn<Report<Row>['call']>()
    .mockResolvedValueOnce({ rows, total: 2 })
    .mockRejectedValueOnce(new TypeError('Failed to fetch'))
    .mockResolvedValue({ rows, total: 2 })
  open(report(call, { filters: dateFilters }))
  await screen.findByRole('cell', { name: '100001' })
  await userEvent.click(screen.getByRole('button', { name: 'Search' }))
  expect(await screen.findByText('The list could not be loaded.')).toBeVisible()
  expect(screen.getByRole('cell', { name: '100001' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.queryByText('The list could not be loaded.')).toBeNull())
})

it('leaves the old rows their numbers until the new ones are there', async () => {
  let answer = () => {}
  const call = vi.fn(({ page }: ReportQuery) => {
    const list = { rows: [{ ...(rows[0] as Row), uid: `${page}` }], total: 924 }
    return page === 1
      ? Promise.resolve(list)
      : new Promise<typeof list>((resolve) => {
          answer = () => resolve(list)
        })
  })
  open(report(call))
  const numbers = () => screen.getAllByRole('row')[1]?.textContent
  await screen.findByText('1–25 of 924 rows')
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  expect(call.mock.lastCall?.[0].page).toBe(2)
  expect(screen.getByText('1–25 of 924 rows')).toBeVisible()
  expect(screen.getByText('1 / 37')).toBeVisible()
  expect(numbers()).toMatch(/^11\$/)
  answer()
  expect(await screen.findByText('26–50 of 924 rows')).toBeVisible()
  expect(screen.getByText('2 / 37')).toBeVisible()
  expect(numbers()).toMatch(/^262\$/)
})

it('keeps a page of a long list that Back leads to from a short one', async () => {
  const call = vi.fn(async ({ position }: ReportQuery) => ({
    rows,
    total: position === '0' ? 924 : 2,
  }))
  const router = open(report(call, { filters: (s) => [positionFilter(s)] }), '/?page=3')
  await screen.findByText('51–75 of 924 rows')
  await userEvent.selectOptions(screen.getByLabelText('Position'), 'Right')
  await userEvent.click(screen.getByRole('button', { name: 'Search' }))
  await screen.findByText('1–2 of 2 rows')
  await act(() => router.navigate(-1))
  expect(await screen.findByText('51–75 of 924 rows')).toBeVisible()
  expect(router.state.location.search).toBe('?page=3')
})

it('refuses a last day before the first at its field, and sends nothing', async () => {
  const call = vi.fn(async (_: ReportQuery) => ({ rows, total: 2 }))
  const router = open(report(call, { filters: dateFilters }))
  await screen.findByRole('cell', { name: '100001' })
  const last = screen.getByLabelText('To Date')
  fireEvent.change(screen.getByLabelText('From Date'), { target: { value: '2026-12-01' } })
  fireEvent.change(last, { target: { value: '2026-01-01' } })
  await userEvent.click(screen.getByRole('button', { name: 'Search' }))
  expect(last).toHaveAccessibleDescription('The end date is before the start date.')
  expect(last).toHaveFocus()
  expect(call).toHaveBeenCalledTimes(1)
  expect(router.state.location.search).toBe('')
  fireEvent.change(last, { target: { value: '2026-12-01' } })
  expect(screen.queryByText('The end date is before the start date.')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Search' }))
  expect(router.state.location.search).toBe('?fdate=2026-12-01&tdate=2026-12-01')
})
