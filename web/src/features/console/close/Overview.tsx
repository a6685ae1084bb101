import { Alert, NativeSelect } from '@mantine/core'
import { Link } from 'react-router'
import { Card } from '@/components/Card.tsx'
import layout from '@/components/console/layout.module.css'
import { type Column, moneyColumn, numberColumn, textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { Pager } from '@/components/table/Pager.tsx'
import { firstOf, type Place } from '@/components/table/state.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { formatMoney } from '@/lib/money.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import { named } from '@/lib/strings/named.ts'
import styles from './Close.module.css'

type Day = components['schemas']['CloseDay']
type Look = Pick<Day, 'compared' | 'before' | 'top' | 'warnings'>
type Row = components['schemas']['CloseRow']

export const MARKS = ['scaled', 'capped', 'held', 'taken'] as const
export type Mark = (typeof MARKS)[number]

const kindOf = (kind: string, { why, closeDay }: ConsoleStrings) =>
  kind === 'paid' ? closeDay.paid : named(why.kinds, kind)

/** The totals of a day beside those of the day before, the top earners, and warnings. */
export function Overview({ look }: { look: Look }) {
  const strings = useConsoleStrings()
  const { closeDay: t } = strings
  return (
    <>
      <Warnings warnings={look.warnings} />
      <div className={styles.tables}>
        <Card title={t.compared}>
          {look.before === '' && <p className={layout.hint}>{t.firstDay}</p>}
          <DataTable<Look['compared'][number]>
            label={t.compared}
            dense
            columns={[
              textColumn(t.kind, (x) => kindOf(x.kind, strings)),
              moneyColumn(t.amount, (x) => x.amount),
              moneyColumn(t.before, (x) => x.before),
              moneyColumn(t.difference, (x) => x.difference),
            ]}
            rows={look.compared}
            rowKey={({ kind }) => kind}
            empty={t.none}
          />
        </Card>
        <Card title={t.top}>
          <DataTable<Look['top'][number]>
            label={t.top}
            dense
            columns={[
              memberColumn(t.member, (x) => x.uid),
              textColumn(t.name, (x) => x.name),
              numberColumn(t.rows, (x) => x.rows),
              moneyColumn(t.got, (x) => x.paid),
            ]}
            rows={look.top}
            rowKey={({ uid }) => uid}
            empty={t.noTop}
          />
        </Card>
      </div>
    </>
  )
}

function warningOf(
  { code, count, amount, has, line }: Look['warnings'][number],
  { closeDay: { warns }, console: { codes } }: ConsoleStrings,
): string {
  const warning = warns[code]
  if (typeof warning === 'string') return warning
  return warning({
    count,
    change: `${count > 0 ? '+' : ''}${count}`,
    amount: formatMoney(amount),
    has: formatMoney(has),
    line: named(codes, line),
  })
}

function Warnings({ warnings }: { warnings: Look['warnings'] }) {
  const strings = useConsoleStrings()
  const { closeDay: t } = strings
  if (warnings.length === 0) return <p className={layout.hint}>{t.noWarnings}</p>
  return (
    <Alert variant="default" role="status" title={t.warnings} className={styles.undecided ?? ''}>
      <ul className={styles.warnings}>
        {warnings.map((warning) => (
          <li key={`${warning.code} ${warning.line}`}>{warningOf(warning, strings)}</li>
        ))}
      </ul>
    </Alert>
  )
}

const memberColumn = <T,>(header: string, pick: (row: T) => string): Column<T> => ({
  header,
  cell: (row) => <Link to={`/admin/member?uid=${pick(row)}`}>{pick(row)}</Link>,
})

export interface RowsShown {
  only: Mark | ''
  page: number
  size: number
}

interface RowsProps {
  rows: readonly Row[] | undefined
  found: number
  shown: RowsShown
  /** The place of the visible rows while others load. */
  of?: Place
  stale?: boolean
  onShow: (shown: RowsShown) => void
}

/** The income rows of a day: all, or only the special ones. */
export function CloseRows({ rows, found, shown, of = shown, stale = false, onShow }: RowsProps) {
  const strings = useConsoleStrings()
  const { closeDay: t } = strings
  return (
    <Card title={t.rows}>
      <NativeSelect
        label={t.only}
        value={shown.only}
        data={[
          { value: '', label: t.marks.all },
          ...MARKS.map((value) => ({ value, label: t.marks[value] })),
        ]}
        onChange={(event) =>
          onShow({ ...shown, page: 1, only: event.currentTarget.value as Mark | '' })
        }
      />
      <DataTable<Row>
        label={t.rows}
        columns={rowColumns(strings)}
        rows={rows}
        rowKey={({ row }) => row}
        firstNumber={firstOf(of)}
        stale={stale}
        empty={t.noRows}
      />
      {found > 0 && (
        <Pager
          page={shown.page}
          size={shown.size}
          total={found}
          shown={of}
          onPage={(page) => onShow({ ...shown, page })}
          onSize={(size) => onShow({ ...shown, size, page: 1 })}
        />
      )}
    </Card>
  )
}

function rowColumns(strings: ConsoleStrings): Column<Row>[] {
  const { closeDay: t, console } = strings
  return [
    numberColumn(t.row, (x) => x.row),
    memberColumn(t.member, (x) => x.uid),
    textColumn(t.kind, (x) => kindOf(x.kind, strings)),
    textColumn(t.line, (x) => named(console.codes, x.line)),
    memberColumn(t.of, (x) => x.of),
    numberColumn(t.level, (x) => x.level || ''),
    moneyColumn(t.nominal, (x) => x.nominal),
    moneyColumn(t.got, (x) => x.paid),
    textColumn(t.mark, (x) =>
      MARKS.filter((mark) => x[mark])
        .map((mark) => t.short[mark])
        .join(', '),
    ),
  ]
}
