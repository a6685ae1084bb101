import { screen, within } from '@testing-library/react'
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

it('shows what went wrong, and tries again on request', async () => {
  const call = vi
    .fn<Report<Row>['call']>()
    .mockRejectedValueOnce(new TypeError('Failed to fetch'))
    .mockResolvedValue({ rows, total: 2 })
  open(report(call))
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('cell', { name: '100001' })).toBeVisible()
})
