import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import { type Column, dateColumn, statusColumn, textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { FilterBar } from '@/components/table/FilterBar.tsx'
import { useTableState } from '@/components/table/state.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { useMay } from '@/lib/operator/rights.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import { Erasures } from './Erasures.tsx'
import { membersOptions } from './queries.ts'

type Found = components['schemas']['FoundRow']

/** The search for members. */
export function Component() {
  const strings = useConsoleStrings()
  const { members: t, table } = strings
  const title = useRouteTitle()
  const may = useMay()
  const filters = [{ kind: 'text', name: 'q', label: t.find, most: 200 }] as const
  const { state, setFilters } = useTableState(filters)
  const q = state.filters.q?.trim() ?? ''
  const { data, error, refetch } = useQuery({ ...membersOptions(q), enabled: q !== '' })
  return (
    <>
      <PageHeader title={title} />
      {may('compliance') && <Erasures />}
      <FilterBar filters={filters} values={state.filters} onSearch={setFilters} />
      {error ? (
        <ErrorNotice error={error} text={table.failed} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={title}
          columns={columns(strings)}
          rows={q === '' ? [] : data?.rows}
          rowKey={({ uid, by }) => `${uid} ${by}`}
          empty={q === '' ? t.ask : t.nobody}
        />
      )}
    </>
  )
}

function columns({ members: t }: ConsoleStrings): Column<Found>[] {
  const stateOf = ({ blocked, activated }: Found) =>
    blocked ? t.blocked : activated ? t.active : t.inactive
  return [
    { header: t.userId, cell: ({ uid }) => <Link to={`/admin/member?uid=${uid}`}>{uid}</Link> },
    textColumn(t.name, (f) => f.name),
    textColumn(t.email, (f) => f.email),
    textColumn(t.mobile, (f) => f.mobile),
    statusColumn(t.state, stateOf, (f) => f.blocked === '' && f.activated !== ''),
    dateColumn(t.joined, (f) => f.joined),
    textColumn(t.by, (f) => t.bys[f.by]),
  ]
}
