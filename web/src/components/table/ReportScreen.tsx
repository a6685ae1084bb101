import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useRef, useState } from 'react'
import type { List } from '@/lib/api/answer.ts'
import { exactTitle, formatMoney } from '@/lib/money.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { useSession } from '@/lib/session.ts'
import { type MemberStrings, useMemberStrings } from '@/lib/strings/member.ts'
import { ErrorNotice } from '../ErrorNotice.tsx'
import { PageHeader } from '../PageHeader.tsx'
import type { Column } from './columns.tsx'
import styles from './DataTable.module.css'
import { DataTable } from './DataTable.tsx'
import { FilterBar } from './FilterBar.tsx'
import type { Filter } from './filters.ts'
import { ExportButtons, ExportRow, Pager } from './Pager.tsx'
import { firstOf, type Place, useTableState } from './state.ts'

/** The query of a list. Only the filters that the list has are sent. */
export interface ReportQuery {
  uid: string
  page: number
  size: number
  sort?: string
  fdate?: string
  tdate?: string
  status?: string
  position?: string
  leveltype?: string
}

/** The drawer that a button in the last column opens. */
export interface RowDrawer<Row> {
  header: (strings: MemberStrings) => string
  /** The number of the row for the server; rows without one have no button. */
  numberOf: (row: Row) => number | undefined
  Button: ComponentType<{ row: number; onClick: () => void }>
  /** `found` is the opened row, while its page is shown. */
  Drawer: ComponentType<{ row: number | null; found?: Row | undefined; onClose: () => void }>
}

/** A list screen, as data. */
export interface Report<Row> {
  /** The first part of the query key: the call's name, with its type if it has one. */
  name: string
  call: (query: ReportQuery) => Promise<List<Row>>
  columns: (strings: MemberStrings) => readonly Column<Row>[]
  rowKey: (row: Row, index: number) => string | number
  /** The empty state: what would be listed here, and how to get it. */
  empty: (strings: MemberStrings) => string
  filters?: (strings: MemberStrings) => readonly Filter[]
  /** A picture above the list. */
  Above?: ComponentType
  /** A line below the heading, of the answer. */
  below?: (list: List<Row>, strings: MemberStrings) => string | undefined
  /** A notice above the list. */
  note?: (strings: MemberStrings) => string
  /** The heading of the numbers; "S.No" by default. */
  serial?: (strings: MemberStrings) => string
  /** The names of the export; without it the list has none. */
  file?: { report: string; type?: string }
  /** Explains a row. */
  drawer?: RowDrawer<Row>
  /** Many columns: on a large screen all of them are visible. */
  dense?: true
  /** Distinguishes two lists of one screen in the address. */
  prefix?: string
}

/** A screen that is one list: title with total, filters, table, pages. */
export function reportScreen<Row>(report: Report<Row>) {
  return function ReportScreen() {
    const title = useRouteTitle()
    return (
      <ReportList
        report={report}
        label={title}
        heading={(total, actions) => <PageHeader title={title} detail={total} actions={actions} />}
      />
    )
  }
}

interface ReportListProps<Row> {
  report: Report<Row>
  label: string
  heading?: (total: ReactNode, actions: ReactNode) => ReactNode
}

/** The list alone, for a screen that has more than the list. */
export function ReportList<Row>({ report, label, heading }: ReportListProps<Row>) {
  const strings = useMemberStrings()
  const { userId } = useSession()
  const filters = report.filters?.(strings) ?? []
  const table = useTableState(filters, report.prefix)
  const [opened, setOpened] = useState<number | null>(null)
  const columns = withDrawer(report, strings, setOpened)
  const state = { ...table.state, sort: knownSort(table.state.sort, columns) }
  const query = useReport(report, state)
  const { data, error } = query
  const bar = useRef<HTMLFormElement>(null)
  const clear = () => {
    table.clearFilters()
    // The pressed button disappears, so the focus moves to the first filter.
    bar.current?.querySelector<HTMLElement>('input, select')?.focus()
  }

  const total = data?.sum !== undefined && (
    <span {...exactTitle(data.sum)}>{strings.table.total({ sum: formatMoney(data.sum) })}</span>
  )
  const exports = report.file && (
    <ExportButtons path="/api/export" query={{ ...report.file, ...state.filters, uid: userId }} />
  )
  return (
    <>
      {heading ? heading(total, exports) : <ExportRow>{exports}</ExportRow>}
      {data && report.below && <p className={styles.note}>{report.below(data, strings)}</p>}
      {report.Above && <report.Above />}
      {report.note && <p className={styles.note}>{report.note(strings)}</p>}
      {filters.length > 0 && (
        <FilterBar
          ref={bar}
          filters={filters}
          values={state.filters}
          onSearch={(values) => {
            // A new address triggers the query; the same search again needs a refetch.
            if (isSame(values, state.filters)) void query.refetch()
            else table.setFilters(values)
          }}
        />
      )}
      {error && (
        <div className={styles.failed}>
          <ErrorNotice
            error={error}
            text={strings.table.failed}
            onRetry={() => void query.refetch()}
          />
        </div>
      )}
      {(data || !error) && (
        <DataTable
          label={label}
          columns={columns}
          rows={isBeyond(data) ? undefined : data?.rows}
          rowKey={report.rowKey}
          firstNumber={firstOf(data ?? state)}
          {...(report.serial && { serial: report.serial(strings) })}
          stale={query.isPlaceholderData}
          keepHead
          empty={table.filtered ? <Filtered onClear={clear} /> : report.empty(strings)}
          {...(report.dense && { dense: true })}
          {...(report.drawer && rowOpens(report.drawer, setOpened))}
          sort={state.sort}
          onSort={table.setSort}
        />
      )}
      {data && data.total > 0 && (
        <Pager
          page={state.page}
          size={state.size}
          total={data.total}
          shown={data}
          onPage={table.setPage}
          onSize={table.setSize}
        />
      )}
      {report.drawer && (
        <report.drawer.Drawer
          row={opened}
          found={data?.rows.find((row) => report.drawer?.numberOf(row) === opened)}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}

/** The empty state of a search, which differs from that of an empty list. */
function Filtered({ onClear }: { onClear: () => void }) {
  const { filters: t } = useMemberStrings()
  return (
    <>
      <p>{t.noneMatch}</p>
      <Button variant="default" size="xs" onClick={onClear}>
        {t.clear}
      </Button>
    </>
  )
}

/** A page after the last one is empty although the list is not: the last page is loading. */
const isBeyond = <Row,>(data: (List<Row> & Place) | undefined) =>
  data !== undefined && data.total > 0 && firstOf(data) > data.total

const isSame = (one: Record<string, string>, other: Record<string, string>) =>
  Object.keys(one).every((name) => one[name] === other[name])

function useReport<Row>(report: Report<Row>, state: ReturnType<typeof useTableState>['state']) {
  const { userId } = useSession()
  const { page, size, sort, filters } = state
  return useQuery({
    queryKey: [report.name, userId, page, size, sort, filters],
    queryFn: async () => {
      const asked = { ...filters, uid: userId, page, size, ...(sort !== '' && { sort }) }
      return { ...(await report.call(asked)), page, size }
    },
    placeholderData: keepPreviousData,
  })
}

/** Addresses can be edited: an order that no column has is ignored. */
const knownSort = <Row,>(sort: string, columns: readonly Column<Row>[]) =>
  columns.some((column) => column.sort === sort.replace(/^-/, '')) ? sort : ''

/** A press anywhere on an explained row opens the explanation, as its button does. */
const rowOpens = <Row,>({ numberOf }: RowDrawer<Row>, open: (row: number) => void) => ({
  canSelect: (row: Row) => Boolean(numberOf(row)),
  onSelect: (row: Row) => open(numberOf(row) ?? 0),
})

function withDrawer<Row>(
  { columns, drawer }: Report<Row>,
  strings: MemberStrings,
  open: (row: number) => void,
): readonly Column<Row>[] {
  if (!drawer) return columns(strings)
  const { header, numberOf, Button } = drawer
  return [
    ...columns(strings),
    {
      header: header(strings),
      slot: 'action',
      cell: (row) => {
        const number = numberOf(row)
        return number ? <Button row={number} onClick={() => open(number)} /> : null
      },
    },
  ]
}
