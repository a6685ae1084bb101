import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Card } from '@/components/Card.tsx'
import { type Act, useAct } from '@/components/console/ActDialog.tsx'
import layout from '@/components/console/layout.module.css'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Facts } from '@/components/Facts.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import type { Column } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { FilterBar } from '@/components/table/FilterBar.tsx'
import type { Filter } from '@/components/table/filters.ts'
import { Pager } from '@/components/table/Pager.tsx'
import { firstOf, useTableState } from '@/components/table/state.ts'
import type { List } from '@/lib/api/answer.ts'
import { type Right, useMay } from '@/lib/operator/rights.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import { type BulkAct, BulkBar, useChosen } from './Bulk.tsx'
import { MemberContext } from './MemberContext.tsx'
import styles from './Queue.module.css'

interface Thing {
  id: string
  uid: string
}

/** The value of the option without a filter, where the untouched filter means something else. */
const ALL = 'all'

interface StateTexts<State extends string> {
  state: string
  states: Readonly<Record<State, string>>
}

/** Untouched, a queue shows the first state: the pending rows. */
export const stateFilter = <State extends string>(
  states: readonly State[],
  t: StateTexts<State>,
  all: string,
): Filter => ({
  kind: 'select',
  name: 'state',
  label: t.state,
  options: [
    ...states.map((state) => ({ value: state, label: t.states[state] })),
    { value: ALL, label: all },
  ],
})

/** An act on the selected row, and the key that opens it. */
export interface KeyedAct {
  key: string
  act: Act
}

export interface QueueQuery extends Record<string, string> {
  page: string
  size: string
}

/** A queue of rows to decide, as data. */
export interface QueueSpec<Row extends Thing> {
  name: string
  call: (query: QueueQuery) => Promise<List<Row>>
  columns: (strings: ConsoleStrings) => readonly Column<Row>[]
  filters: (strings: ConsoleStrings) => readonly Filter[]
  empty: (strings: ConsoleStrings) => string
  /** The notice for a search that did not look at everything. */
  partial?: (strings: ConsoleStrings) => string
  facts: (row: Row, strings: ConsoleStrings) => readonly (readonly [string, ReactNode])[]
  /** The acts that the row's state allows. */
  acts: (row: Row, strings: ConsoleStrings) => readonly KeyedAct[]
  /** The right that the acts need; 'money' by default. */
  right?: Right
  /** More about the selected row, beside the list. */
  more?: (row: Row) => ReactNode
  /** A comparison for the selected row, below the list, where there is room. */
  compare?: (row: Row) => ReactNode
  /** The acts on several rows at once. */
  bulk?: (strings: ConsoleStrings) => readonly BulkAct<Row>[]
}

export function queueScreen<Row extends Thing>(spec: QueueSpec<Row>) {
  return function QueueScreen() {
    const strings = useConsoleStrings()
    const title = useRouteTitle()
    const filters = spec.filters(strings)
    const table = useTableState(filters)
    const query = useQueue(spec, table.state)
    const rows = query.data?.rows ?? []
    const { selected, choose } = useSelected(rows, JSON.stringify(table.state))
    const { ask, asking, dialog } = useAct()
    const may = useMay()(spec.right ?? 'money')
    const acts = may && selected ? spec.acts(selected, strings) : []
    const [together, setTogether] = useState(false)
    const { chosen: several, column, all, none } = useChosen(rows, strings)
    const { aside, show } = useAside()
    useKeys(rows, selected, acts, asking || together, choose, ask)

    return (
      <>
        <PageHeader title={title} />
        <FilterBar filters={filters} values={table.state.filters} onSearch={table.setFilters} />
        <Keys />
        {may && spec.bulk && rows.length > 0 && (
          <BulkBar
            rows={rows}
            chosen={several}
            acts={spec.bulk(strings)}
            onAll={all}
            onAsking={setTogether}
            onDone={none}
          />
        )}
        <div className={styles.layout}>
          <Rows
            spec={spec}
            query={query}
            table={table}
            selected={selected}
            more={may && spec.bulk ? [column] : []}
            onSelect={(row) => {
              choose(row)
              show()
            }}
          />
          {selected && (
            <div ref={aside} className={styles.aside}>
              <Detail facts={spec.facts(selected, strings)} id={selected.id}>
                {acts.map(({ key, act }) => (
                  <Button key={key} variant="default" onClick={() => ask(act)}>
                    {act.confirm}&nbsp;<kbd className={styles.key}>{key}</kbd>
                  </Button>
                ))}
              </Detail>
              {spec.more?.(selected)}
              <MemberContext uid={selected.uid} />
            </div>
          )}
          {selected && spec.compare && (
            <div className={styles.compare}>{spec.compare(selected)}</div>
          )}
        </div>
        {dialog}
      </>
    )
  }
}

/** The selected row; after a decision that removes it, the row that takes its place. */
function useSelected<Row extends Thing>(rows: readonly Row[], list: string) {
  const [chosen, setChosen] = useState({ id: '', at: 0, list })
  const at = rows.findIndex(({ id }) => id === chosen.id)
  const place = chosen.list === list ? Math.min(chosen.at, rows.length - 1) : 0
  return {
    selected: rows[at >= 0 ? at : place],
    choose: (row: Row) => setChosen({ id: row.id, at: rows.indexOf(row), list }),
  }
}

/** Scrolls to the selected row's details where they are below the list. */
function useAside() {
  const aside = useRef<HTMLDivElement>(null)
  const show = () => {
    if (window.matchMedia('(width <= 1200px)').matches)
      aside.current?.scrollIntoView({ block: 'start' })
  }
  return { aside, show }
}

type Table = ReturnType<typeof useTableState>

function useQueue<Row extends Thing>(
  spec: QueueSpec<Row>,
  { page, size, filters }: Table['state'],
) {
  const asked = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ALL))
  return useQuery({
    queryKey: [spec.name, page, size, asked],
    queryFn: async () => {
      const list = await spec.call({ ...asked, page: String(page), size: String(size) })
      return { ...list, page, size }
    },
    placeholderData: keepPreviousData,
  })
}

interface RowsProps<Row extends Thing> {
  spec: QueueSpec<Row>
  query: ReturnType<typeof useQueue<Row>>
  table: Table
  selected: Row | undefined
  /** Columns before those of the queue. */
  more: readonly Column<Row>[]
  onSelect: (row: Row) => void
}

function Rows<Row extends Thing>({ spec, query, table, selected, more, onSelect }: RowsProps<Row>) {
  const strings = useConsoleStrings()
  const title = useRouteTitle()
  const { page, size } = table.state
  const { data, error } = query
  const notice = error && (
    <ErrorNotice error={error} text={strings.table.failed} onRetry={() => void query.refetch()} />
  )
  if (notice && !data) return notice
  return (
    <div className={styles.list}>
      {notice}
      <DataTable
        label={title}
        dense
        columns={[...more, ...spec.columns(strings)]}
        rows={data?.rows}
        rowKey={({ id }) => id}
        firstNumber={firstOf(data ?? table.state)}
        stale={query.isPlaceholderData}
        empty={spec.empty(strings)}
        selected={selected?.id}
        onSelect={onSelect}
      />
      {data?.partial && spec.partial && (
        <p className={styles.partial} role="status">
          {spec.partial(strings)}
        </p>
      )}
      {data && data.total > 0 && (
        <Pager
          page={page}
          size={size}
          total={data.total}
          shown={data}
          onPage={table.setPage}
          onSize={table.setSize}
        />
      )}
    </div>
  )
}

interface DetailProps {
  id: string
  facts: readonly (readonly [string, ReactNode])[]
  children: ReactNode
}

function Detail({ id, facts, children }: DetailProps) {
  const { requests: t } = useConsoleStrings()
  return (
    <Card title={t.number({ id })}>
      <Facts facts={facts} />
      <div className={layout.actsBelow}>{children}</div>
    </Card>
  )
}

function Keys() {
  const { requests: t } = useConsoleStrings()
  return (
    <p className={styles.keys}>
      <kbd className={styles.key}>j</kbd> <kbd className={styles.key}>k</kbd> {t.keysMove}{' '}
      {t.keysAct}
    </p>
  )
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]')

/** j and k move the selection; the letter on a button opens its act. */
function useKeys<Row extends Thing>(
  rows: readonly Row[],
  selected: Row | undefined,
  acts: readonly KeyedAct[],
  asking: boolean,
  choose: (row: Row) => void,
  ask: (act: Act) => void,
) {
  useEffect(() => {
    if (asking) return
    const press = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
      const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0
      const next = selected && step !== 0 ? rows[rows.indexOf(selected) + step] : undefined
      const act = acts.find(({ key }) => key === event.key)?.act
      if (next) choose(next)
      if (act) {
        event.preventDefault()
        ask(act)
      }
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })
}
