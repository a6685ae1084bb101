import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Card } from '@/components/Card.tsx'
import { Exact } from '@/components/console/Exact.tsx'
import { ExportCsv } from '@/components/console/ExportCsv.tsx'
import layout from '@/components/console/layout.module.css'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Facts } from '@/components/Facts.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import { type Column, dateColumn, termColumn, textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { FilterBar } from '@/components/table/FilterBar.tsx'
import type { Filter } from '@/components/table/filters.ts'
import { Older } from '@/components/table/Older.tsx'
import { filled, useTableState } from '@/components/table/state.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import { named } from '@/lib/strings/named.ts'
import styles from './AuditLog.module.css'
import { auditOptions } from './queries.ts'

type Row = components['schemas']['AuditRow']

const EXPORT = '/api/operator/audit/export'

const actsOf = ({ acts }: ConsoleStrings) =>
  Object.entries(acts)
    .map(([value, label]) => ({ value, label }))
    .sort((one, other) => one.label.localeCompare(other.label))

const filtersOf = (strings: ConsoleStrings): Filter[] => {
  const { record: t, filters } = strings
  return [
    {
      kind: 'select',
      name: 'act',
      label: t.act,
      options: [{ value: '', label: filters.all }, ...actsOf(strings)],
    },
    { kind: 'text', name: 'member', label: t.member, most: 15 },
    { kind: 'text', name: 'operator', label: t.operator, most: 10 },
    { kind: 'date', name: 'from', label: filters.fromDate },
    { kind: 'date', name: 'to', label: filters.toDate, since: 'from' },
  ]
}

/** The audit log, newest first; an entry shows the state before and after. */
export function Component() {
  const strings = useConsoleStrings()
  const { record: t, table } = strings
  const title = useRouteTitle()
  const filters = filtersOf(strings)
  const { state, setFilters } = useTableState(filters)
  const asked = filled(state.filters)
  const { query, before, setBefore } = useRecord(asked)
  const [chosen, setChosen] = useState(0)
  const rows = query.data?.data[0] ?? undefined
  const next = query.data?.next ?? 0
  const selected = rows?.find(({ no }) => no === chosen)
  return (
    <>
      <PageHeader title={title} actions={<ExportCsv path={EXPORT} query={asked} />} />
      <FilterBar filters={filters} values={state.filters} onSearch={setFilters} />
      <div className={styles.layout} data-entry={selected !== undefined}>
        <div className={layout.page}>
          {query.error ? (
            <ErrorNotice
              error={query.error}
              text={table.failed}
              onRetry={() => void query.refetch()}
            />
          ) : (
            <DataTable
              label={title}
              columns={columns(strings, setChosen)}
              rows={rows}
              rowKey={({ no }) => no}
              stale={query.isPlaceholderData}
              empty={t.empty}
              selected={chosen}
            />
          )}
          <Older before={before} next={next} onTurn={setBefore} />
        </div>
        {selected && <Entry key={selected.no} row={selected} />}
      </div>
    </>
  )
}

/** A page of the audit log. New filters begin at the newest entry. */
function useRecord(asked: Record<string, string>) {
  const text = JSON.stringify(asked)
  const [from, setFrom] = useState({ text, before: 0 })
  const before = from.text === text ? from.before : 0
  const query = useQuery(auditOptions(asked, before))
  return { query, before, setBefore: (next: number) => setFrom({ text, before: next }) }
}

function columns(
  { record: t, acts }: ConsoleStrings,
  onChoose: (no: number) => void,
): Column<Row>[] {
  return [
    {
      header: t.no,
      cell: ({ no }) => (
        <Button size="compact-sm" variant="subtle" onClick={() => onChoose(no)}>
          {no}
        </Button>
      ),
    },
    dateColumn(t.at, (r) => r.at),
    termColumn(t.who, (r) => r.name),
    textColumn(t.act, (r) => named(acts, r.act)),
    textColumn(t.member, (r) => r.member),
    termColumn(t.subject, (r) => r.subject, { clip: true }),
    termColumn(t.reason, (r) => r.reason, { wrap: true }),
  ]
}

/** The entry beside the table; below it, where there is no room, the page scrolls to it. */
function Entry({ row }: { row: Row }) {
  const aside = useRef<HTMLDivElement>(null)
  useEffect(() => aside.current?.scrollIntoView({ block: 'nearest' }), [])
  const { record: t, acts } = useConsoleStrings()
  const states = [
    [t.was, row.was],
    [t.became, row.became],
  ] as const
  return (
    <div ref={aside} className={styles.entry}>
      <Card title={t.entry({ no: row.no })}>
        <Facts
          facts={[
            [t.act, named(acts, row.act)],
            [t.hash, <Exact key="hash" text={row.hash} />],
          ]}
        />
        <div className={styles.states}>
          {states.map(([name, state]) => (
            <section key={name} aria-label={name}>
              <h3>{name}</h3>
              <pre className={styles.state}>{JSON.stringify(state ?? null, null, 2)}</pre>
            </section>
          ))}
        </div>
      </Card>
    </div>
  )
}
