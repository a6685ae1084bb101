import { useQuery } from '@tanstack/react-query'
import { ExportCsv } from '@/components/console/ExportCsv.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import {
  type Column,
  dateColumn,
  moneyColumn,
  numberColumn,
  textColumn,
} from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { FilterBar } from '@/components/table/FilterBar.tsx'
import type { Filter } from '@/components/table/filters.ts'
import { Pager } from '@/components/table/Pager.tsx'
import { filled, firstOf, useTableState } from '@/components/table/state.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import { unmatchedOptions } from './queries.ts'
import styles from './UnmatchedPayments.module.css'

type Row = components['schemas']['UnmatchedRow']

const EXPORT = '/api/operator/unmatchedPayments/export'
const REASONS = ['small', 'unannounced', 'company', 'unassigned'] as const

const filtersOf = ({ unmatched: t, requests, filters }: ConsoleStrings): Filter[] => [
  {
    kind: 'select',
    name: 'reason',
    label: t.reason,
    options: [
      { value: '', label: filters.all },
      ...REASONS.map((reason) => ({ value: reason, label: t.reasons[reason] })),
    ],
  },
  { kind: 'text', name: 'uid', label: requests.userId, most: 15 },
  { kind: 'text', name: 'hash', label: requests.hash, most: 66 },
]

/** Payments on the chain that have no fund request. */
export function Component() {
  const strings = useConsoleStrings()
  const { unmatched: t, table } = strings
  const title = useRouteTitle()
  const filters = filtersOf(strings)
  const { state, setFilters, setPage, setSize } = useTableState(filters)
  const { page, size } = state
  const asked = filled(state.filters)
  const query = useQuery(unmatchedOptions(page, size, asked))
  return (
    <>
      <PageHeader title={title} actions={<ExportCsv path={EXPORT} query={asked} />} />
      <p className={styles.text}>{t.text}</p>
      <FilterBar filters={filters} values={state.filters} onSearch={setFilters} />
      <div className={styles.list}>
        {query.error ? (
          <ErrorNotice
            error={query.error}
            text={table.failed}
            onRetry={() => void query.refetch()}
          />
        ) : (
          <DataTable
            label={title}
            dense
            columns={columns(strings)}
            rows={query.data?.rows}
            rowKey={({ id }) => id}
            firstNumber={firstOf(query.data ?? state)}
            stale={query.isPlaceholderData}
            empty={t.empty}
          />
        )}
        {query.data && query.data.total > 0 && (
          <Pager
            page={page}
            size={size}
            total={query.data.total}
            shown={query.data}
            onPage={setPage}
            onSize={setSize}
          />
        )}
      </div>
    </>
  )
}

const columns = ({ unmatched: t, requests }: ConsoleStrings): Column<Row>[] => [
  dateColumn(t.mined, (r) => r.mined),
  moneyColumn(requests.amount, (r) => r.amount),
  textColumn(t.reason, (r) => t.reasons[r.reason]),
  textColumn(requests.userId, (r) => r.uid),
  textColumn(t.from, (r) => r.from, { clip: true }),
  textColumn(t.to, (r) => r.to, { clip: true }),
  textColumn(requests.hash, (r) => r.hash, { clip: true }),
  numberColumn(t.event, (r) => String(r.event)),
  numberColumn(t.block, (r) => String(r.block)),
  numberColumn(t.requests, (r) => String(r.requests)),
]
