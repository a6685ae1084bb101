import { Loader, Skeleton } from '@mantine/core'
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import { type ReactNode, startTransition, useContext, useEffect, useState } from 'react'
import { useStrings } from '@/lib/strings/index.ts'
import { CardTitle } from '../Card.tsx'
import type { Column } from './columns.tsx'
import styles from './DataTable.module.css'

interface DataTableProps<Row> {
  /** The accessible name of the table. */
  label: string
  columns: readonly Column<Row>[]
  /** Undefined while the first page is loading. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row, index: number) => string | number
  /** The number of the first row; 1 by default. */
  firstNumber?: number
  /** The heading of the numbers; "S.No" by default. */
  serial?: string
  /** The next rows are loading: the current ones are old. */
  stale?: boolean
  /** The empty state: what would be listed here, and how to get it. */
  empty: ReactNode
  /** Many columns of figures: narrow ones, with headings of several lines. */
  dense?: boolean
  /** Few columns with long texts: on a phone each row is stacked, with a line for every cell. */
  stack?: boolean
  /** Shows the head even without rows. */
  keepHead?: boolean
  sort?: string
  onSort?: (sort: string) => void
  /** The key of the selected row. */
  selected?: string | number | undefined
  /** Rows can be selected. */
  onSelect?: (row: Row) => void
}

/** More rows than fit on any screen. */
const AT_ONCE = 30

/**
 * The rows to render: on the first page those that fit the screen, and all of them from the next
 * frame on. Later pages render at once, so that the scroll position is kept.
 */
function useRenderedRows<Row>(rows: readonly Row[] | undefined): readonly Row[] | undefined {
  const [whole, setWhole] = useState(false)
  const isLong = rows !== undefined && rows.length > AT_ONCE
  useEffect(() => {
    if (!isLong || whole) return
    const frame = requestAnimationFrame(() => startTransition(() => setWhole(true)))
    return () => cancelAnimationFrame(frame)
  }, [isLong, whole])
  return isLong && !whole ? rows.slice(0, AT_ONCE) : rows
}

const SKELETON_ROWS = ['1', '2', '3', '4', '5', '6']

/**
 * The table of every list. Its first two columns stay visible when it scrolls sideways on a phone,
 * its head when it scrolls down.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { table } = useStrings()
  const isNamed = useContext(CardTitle) === props.label
  const { label, columns, rowKey, firstNumber = 1, serial = table.serial } = props
  const rows = useRenderedRows(props.rows)
  // With `display: block` browsers drop the table's role, so it is set.
  const role = (name: string) => props.stack && { role: name }
  const empty = rows?.length === 0 && <div className={styles.empty}>{props.empty}</div>
  if (empty && !props.keepHead) return empty
  return (
    <section
      className={styles.scroll}
      aria-label={label}
      {...(isNamed && { role: 'group' })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
      tabIndex={0}
      data-stale={props.stale}
    >
      <table
        className={styles.table}
        data-dense={props.dense}
        data-stack={props.stack}
        {...role('table')}
        aria-busy={rows === undefined || props.stale}
      >
        <thead {...role('rowgroup')}>
          <tr {...role('row')}>
            <th scope="col" className={styles.serial} {...role('columnheader')}>
              {serial}
            </th>
            {columns.map((column) => (
              <Head
                key={column.header}
                column={column}
                stack={props.stack}
                sort={props.sort ?? ''}
                onSort={props.onSort}
              />
            ))}
          </tr>
        </thead>
        <tbody {...role('rowgroup')}>
          {rows?.map((row, index) => (
            <tr
              key={rowKey(row, index)}
              {...role('row')}
              aria-current={props.selected === rowKey(row, index) || undefined}
              data-pressable={props.onSelect !== undefined}
              {...(props.onSelect && { onClick: () => props.onSelect?.(row) })}
            >
              <td className={styles.serial} data-label={serial} {...role('cell')}>
                {firstNumber + index}
              </td>
              {columns.map((column) => (
                <td
                  key={column.header}
                  {...role('cell')}
                  data-label={column.header}
                  data-align={column.align}
                  data-wrap={column.wrap}
                  data-narrow={column.narrow}
                  data-clip={column.clip}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          )) ?? <SkeletonRows columns={columns.length} />}
        </tbody>
      </table>
      {empty}
      {(rows === undefined || props.stale) && (
        <div className={styles.spinner} role="status" aria-label={table.loading}>
          <Loader size="sm" />
        </div>
      )}
    </section>
  )
}

interface HeadProps<Row> {
  column: Column<Row>
  sort: string
  onSort: ((sort: string) => void) | undefined
  stack: boolean | undefined
}

/** Sorts by the column: ascending, then descending, then the default order. */
function Head<Row>({ column, sort, onSort, stack }: HeadProps<Row>) {
  const { header, align, sort: name } = column
  const role = stack && { role: 'columnheader' }
  if (!name || !onSort) {
    return (
      <th scope="col" data-align={align} {...role}>
        {header}
      </th>
    )
  }
  const rising = sort === name
  const falling = sort === `-${name}`
  const Icon = rising ? ArrowUp : falling ? ArrowDown : ArrowUpDown
  return (
    <th
      scope="col"
      data-align={align}
      {...role}
      aria-sort={rising ? 'ascending' : falling ? 'descending' : 'none'}
    >
      <button
        type="button"
        className={styles.sort}
        onClick={() => onSort(rising ? `-${name}` : falling ? '' : name)}
      >
        {header}
        <Icon size={14} aria-hidden="true" />
      </button>
    </th>
  )
}

function SkeletonRows({ columns }: { columns: number }) {
  return SKELETON_ROWS.map((row) => (
    <tr key={row}>
      <td colSpan={columns + 1}>
        <Skeleton height={18} />
      </td>
    </tr>
  ))
}
