import { Loader, NativeSelect, Skeleton } from '@mantine/core'
import { ArrowDown, ArrowUp, ArrowUpDown, ChevronDown } from 'lucide-react'
import { type ReactNode, startTransition, useContext, useEffect, useState } from 'react'
import { useStrings } from '@/lib/strings/index.ts'
import { CardTitle } from '../Card.tsx'
import { type Column, type Slot, slotsOf } from './columns.tsx'
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
  /** Shows the head even without rows. */
  keepHead?: boolean
  sort?: string
  onSort?: (sort: string) => void
  /** The key of the selected row. */
  selected?: string | number | undefined
  /** Rows can be selected. */
  onSelect?: (row: Row) => void
  /** Which rows can be selected; all by default. */
  canSelect?: (row: Row) => boolean
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

// With another `display` browsers drop the roles of a table, so they are set.
const role = (name: string) => ({ role: name })

/**
 * The table of every list. Its first two columns stay visible when it scrolls sideways, its head
 * when it scrolls down. On a phone every row is a card.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { table } = useStrings()
  const isNamed = useContext(CardTitle) === props.label
  const { label, columns, rowKey, firstNumber = 1, serial = table.serial } = props
  const rows = useRenderedRows(props.rows)
  const slots = slotsOf(columns)
  const empty = rows?.length === 0 && <div className={styles.empty}>{props.empty}</div>
  if (empty && !props.keepHead) return empty
  return (
    <>
      {props.onSort && (
        <PhoneSort columns={columns} sort={props.sort ?? ''} onSort={props.onSort} />
      )}
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
                  sort={props.sort ?? ''}
                  onSort={props.onSort}
                />
              ))}
            </tr>
          </thead>
          <tbody {...role('rowgroup')}>
            {rows?.map((row, index) => (
              <BodyRow
                key={rowKey(row, index)}
                row={row}
                columns={columns}
                slots={slots}
                serial={serial}
                number={firstNumber + index}
                isSelected={props.selected === rowKey(row, index)}
                onSelect={props.canSelect?.(row) === false ? undefined : props.onSelect}
              />
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
    </>
  )
}

interface BodyRowProps<Row> {
  row: Row
  columns: readonly Column<Row>[]
  slots: readonly Slot[]
  serial: string
  number: number
  isSelected: boolean
  onSelect: ((row: Row) => void) | undefined
}

function BodyRow<Row>(props: BodyRowProps<Row>) {
  const { row, columns, slots, serial, number, isSelected, onSelect } = props
  const { table } = useStrings()
  const [unfolded, setUnfolded] = useState(false)
  return (
    <tr
      {...role('row')}
      aria-current={isSelected || undefined}
      data-pressable={onSelect !== undefined}
      data-unfolded={unfolded}
      {...(onSelect && { onClick: () => onSelect(row) })}
    >
      <td className={styles.serial} data-label={serial} data-slot="serial" {...role('cell')}>
        {number}
      </td>
      {columns.map((column, at) => (
        <td
          key={column.header}
          {...role('cell')}
          data-label={column.header}
          data-slot={slots[at]}
          data-align={column.align}
          data-wrap={column.wrap}
          data-narrow={column.narrow}
          data-clip={column.clip}
        >
          {column.cell(row)}
        </td>
      ))}
      {slots.includes('more') && (
        <td className={styles.unfold} {...role('cell')}>
          <button
            type="button"
            aria-expanded={unfolded}
            onClick={(event) => {
              event.stopPropagation()
              setUnfolded(!unfolded)
            }}
          >
            {unfolded ? table.less : table.more}
            <ChevronDown size={16} aria-hidden="true" />
          </button>
        </td>
      )}
    </tr>
  )
}

interface SortProps<Row> {
  columns: readonly Column<Row>[]
  sort: string
  onSort: (sort: string) => void
}

/** The order of a list on a phone, whose cards have no headings to press. */
function PhoneSort<Row>({ columns, sort, onSort }: SortProps<Row>) {
  const { table } = useStrings()
  const orders = columns.flatMap(({ header, sort: name }) =>
    name
      ? [
          { value: name, label: `${header} ↑` },
          { value: `-${name}`, label: `${header} ↓` },
        ]
      : [],
  )
  if (orders.length === 0) return null
  return (
    <NativeSelect
      className={styles.phoneSort}
      label={table.sortBy}
      value={sort}
      data={[{ value: '', label: table.usualOrder }, ...orders]}
      onChange={(event) => onSort(event.currentTarget.value)}
    />
  )
}

interface HeadProps<Row> {
  column: Column<Row>
  sort: string
  onSort: ((sort: string) => void) | undefined
}

/** Sorts by the column: ascending, then descending, then the default order. */
function Head<Row>({ column, sort, onSort }: HeadProps<Row>) {
  const { header, align, sort: name } = column
  if (!name || !onSort) {
    return (
      <th scope="col" data-align={align} {...role('columnheader')}>
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
      {...role('columnheader')}
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
