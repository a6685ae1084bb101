import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import layout from '@/components/console/layout.module.css'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import { type Column, dateColumn, statusColumn, textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { FilterBar } from '@/components/table/FilterBar.tsx'
import { Older } from '@/components/table/Older.tsx'
import { useTableState } from '@/components/table/state.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { useMay } from '@/lib/operator/rights.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import { Erasures } from './Erasures.tsx'
import { membersOptions, newestOptions } from './queries.ts'

type Found = components['schemas']['FoundRow']
type Newcomer = components['schemas']['NewestRow']

/** The search for members; before a search, all of them, newest first. */
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
      {q === '' ? (
        <Newest />
      ) : error ? (
        <ErrorNotice error={error} text={table.failed} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={title}
          columns={[...columns<Found>(strings), textColumn<Found>(t.by, (f) => t.bys[f.by])]}
          rows={data?.rows}
          rowKey={({ uid, by }) => `${uid} ${by}`}
          empty={t.nobody}
        />
      )}
    </>
  )
}

function Newest() {
  const strings = useConsoleStrings()
  const { members: t, table } = strings
  const title = useRouteTitle()
  const [before, setBefore] = useState(0)
  const { data, error, refetch, isPlaceholderData } = useQuery(newestOptions(before))
  if (error) {
    return <ErrorNotice error={error} text={table.failed} onRetry={() => void refetch()} />
  }
  return (
    <>
      <p className={layout.hint}>{t.ask}</p>
      <DataTable
        label={title}
        columns={columns<Newcomer>(strings)}
        rows={data?.data[0] ?? undefined}
        rowKey={({ uid }) => uid}
        stale={isPlaceholderData}
        empty={t.nobody}
      />
      <Older before={before} next={data?.next ?? 0} onTurn={setBefore} />
    </>
  )
}

function columns<Row extends Newcomer | Found>({ members: t }: ConsoleStrings): Column<Row>[] {
  const stateOf = ({ blocked, activated }: Row) =>
    blocked ? t.blocked : activated ? t.active : t.inactive
  return [
    { header: t.userId, cell: ({ uid }) => <Link to={`/admin/member?uid=${uid}`}>{uid}</Link> },
    textColumn(t.name, (f) => f.name),
    textColumn(t.email, (f) => f.email),
    textColumn(t.mobile, (f) => f.mobile),
    statusColumn(t.state, stateOf, (f) => f.blocked === '' && f.activated !== ''),
    dateColumn(t.joined, (f) => f.joined),
  ]
}
