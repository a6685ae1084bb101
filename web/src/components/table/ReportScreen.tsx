import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import type { List } from '@/lib/api/answer.ts'
import { exactTitle, formatMoney } from '@/lib/money.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { useSession } from '@/lib/session.ts'
import { type MemberStrings, useMemberStrings } from '@/lib/strings/member.ts'
import { ErrorNotice } from '../ErrorNotice.tsx'
import { PageHeader } from '../PageHeader.tsx'
import { WhyButton, WhyDrawer } from '../WhyDrawer.tsx'
import type { Column } from './columns.tsx'
import styles from './DataTable.module.css'
import { DataTable } from './DataTable.tsx'
import { FilterBar } from './FilterBar.tsx'
import type { Filter } from './filters.ts'
import { ExportButtons, ExportRow, Pager } from './Pager.tsx'
import { firstOf, type Place, useTableState } from './state.ts'

/** What a list asks the server for. Of the filters only those are sent that the list has. */
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

/** A list screen, as data. */
export interface Report<Row> {
  /** Under which what was read is kept; the call's name, and its type if it has one. */
  name: string
  call: (query: ReportQuery) => Promise<List<Row>>
  columns: (strings: MemberStrings) => readonly Column<Row>[]
  rowKey: (row: Row, index: number) => string | number
  /** What would stand here, and how to get it. */
  empty: (strings: MemberStrings) => string
  filters?: (strings: MemberStrings) => readonly Filter[]
  /** What has to be known to read the list, above it. */
  note?: (strings: MemberStrings) => string
  /** The heading of the numbers; "S.No" otherwise. */
  serial?: (strings: MemberStrings) => string
  /** What the export calls this list; without it there is no file of it. */
  file?: { report: string; type?: string }
  /** The number under which the server explains a row's amount, if it does. */
  why?: (row: Row) => number | undefined
  /** Few columns with many words: on a phone its rows are stacked. */
  stack?: true
  /** Many columns: on a large screen all of them are in sight. */
  dense?: true
  /** Keeps two lists of one screen apart in the address. */
  prefix?: string
}

/** A whole screen that is one list: title with total, filters, table, pages. */
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

/** The list alone, for a screen that has more than it. */
export function ReportList<Row>({ report, label, heading }: ReportListProps<Row>) {
  const strings = useMemberStrings()
  const { userId } = useSession()
  const filters = report.filters?.(strings) ?? []
  const table = useTableState(filters, report.prefix)
  const [explained, setExplained] = useState<number | null>(null)
  const columns = withWhy(report, strings, setExplained)
  const state = { ...table.state, sort: knownSort(table.state.sort, columns) }
  const query = useReport(report, state)
  const { data, error } = query
  const bar = useRef<HTMLFormElement>(null)
  const clear = () => {
    table.clearFilters()
    // The button that was pressed goes, and must not take the focus with it.
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
      {report.note && <p className={styles.note}>{report.note(strings)}</p>}
      {filters.length > 0 && (
        <FilterBar
          ref={bar}
          filters={filters}
          values={state.filters}
          onSearch={(values) => {
            // The address changes and asks by itself; the same search again has to be asked for.
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
          {...(report.stack && { stack: true })}
          {...(report.dense && { dense: true })}
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
      {report.why && <WhyDrawer row={explained} onClose={() => setExplained(null)} />}
    </>
  )
}

/** Nothing is there because of what was searched for: that is another thing than nothing at all. */
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

/** A page after the last one is empty, though the list is not: the last one is on its way. */
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

/** Anybody can write an address: an order that no column has counts as none. */
const knownSort = <Row,>(sort: string, columns: readonly Column<Row>[]) =>
  columns.some((column) => column.sort === sort.replace(/^-/, '')) ? sort : ''

function withWhy<Row>(
  report: Report<Row>,
  strings: MemberStrings,
  explain: (row: number) => void,
): readonly Column<Row>[] {
  const columns = report.columns(strings)
  const { why } = report
  if (!why) return columns
  return [
    ...columns,
    {
      header: strings.table.why,
      cell: (row) => {
        const number = why(row)
        return number ? <WhyButton row={number} onClick={() => explain(number)} /> : null
      },
    },
  ]
}
