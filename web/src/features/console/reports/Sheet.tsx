import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Amount } from '@/components/Amount.tsx'
import { Card } from '@/components/Card.tsx'
import { Chart } from '@/components/chart/Chart.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Facts } from '@/components/Facts.tsx'
import type { Column } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { ExportButtons } from '@/components/table/Pager.tsx'
import { filled } from '@/components/table/state.ts'
import { formatDay } from '@/lib/dates.ts'
import { formatPercent } from '@/lib/money.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { named } from '@/lib/strings/named.ts'
import {
  axisOf,
  CHARTS,
  columnName,
  drawingOf,
  exactOf,
  hasPeriod,
  isEmpty,
  type Kind,
  labelOf,
  type Report,
  type Table,
  type Texts,
  type Unit,
} from './figures.ts'
import { reportOptions } from './queries.ts'
import styles from './Reports.module.css'

const PATH = '/api/operator/reports'

interface SheetProps {
  kind: Kind
  asked: Record<string, string>
}

/** One report: its charts, and its tables, which can be exported. */
export function Sheet({ kind, asked }: SheetProps) {
  const { reports: t } = useConsoleStrings()
  const query = { kind, ...(hasPeriod(kind) && filled(asked)) }
  const { data, error, refetch, isPlaceholderData } = useQuery(reportOptions(query))
  if (error) return <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />
  // The placeholder of another report must not be shown.
  if (data?.kind !== kind) return <Skeleton height={320} />
  return <Shown report={data} query={query} stale={isPlaceholderData} />
}

interface ShownProps {
  report: Report
  query: Record<string, string>
  stale: boolean
}

function Shown({ report, query, stale }: ShownProps) {
  const { reports: t } = useConsoleStrings()
  const kind = report.kind as Kind
  const closed = report.closed === '' ? t.neverClosed : t.closed({ day: formatDay(report.closed) })
  const period = t.period({ from: formatDay(report.from), to: formatDay(report.to) })
  const note = hasPeriod(kind) ? `${period}. ${closed}` : kind === 'legs' ? t.now : closed
  if (isEmpty(report)) {
    return (
      <>
        <p className={styles.note}>{note}</p>
        <p className={styles.empty}>{t.empty[kind]}</p>
      </>
    )
  }
  return (
    <>
      <p className={styles.note}>{note}</p>
      <div className={styles.charts}>
        {CHARTS[kind].map((spec) => {
          const drawing = drawingOf(report, spec, t)
          return (
            drawing && (
              <Chart
                key={spec.title}
                title={t.charts[spec.title]}
                note={t.period({ from: drawing.labels[0] ?? '', to: drawing.labels.at(-1) ?? '' })}
                kind={drawing.kind}
                labels={drawing.labels}
                labelName={drawing.labelName}
                series={drawing.series}
                daily={drawing.daily}
                open={drawing.open}
                format={(value) => axisOf(drawing.unit, value)}
                exact={(series, at) => exactOf(drawing.unit, drawing.exact[series]?.[at] ?? '')}
              />
            )
          )
        })}
      </div>
      {report.tables.map((table) => (
        <Card
          key={table.name}
          title={named(t.tables, table.name)}
          actions={
            <div className={styles.files}>
              <ExportButtons
                path={`${PATH}/export`}
                query={{ ...query, table: table.name }}
                client={operatorApi}
                of={named(t.tables, table.name)}
              />
            </div>
          }
        >
          <Figures kind={kind} table={table} stale={stale} />
        </Card>
      ))}
    </>
  )
}

interface FiguresProps {
  kind: Kind
  table: Table
  stale: boolean
}

/** A table with its total below; a table of a single row is shown as facts. */
function Figures({ kind, table, stale }: FiguresProps) {
  const { reports: t } = useConsoleStrings()
  const name = (index: number) => columnName(t, kind, table.name, table.columns[index]?.name ?? '')
  const show = (row: readonly string[], index: number): ReactNode =>
    cell(t, table, row, index, row === table.total)
  const only = table.rows[0]
  if (table.name === 'facts' && only) {
    return <Facts facts={only.map((_, index) => [name(index), show(only, index)] as const)} />
  }
  const columns = table.columns.map(({ unit }, index): Column<string[]> => {
    const figures = index > 0 && unit !== 'text'
    return {
      header: name(index),
      cell: (row) => show(row, index),
      ...(figures && { align: 'end' as const }),
    }
  })
  const rows = table.total.length > 0 ? [...table.rows, table.total] : table.rows
  return (
    <DataTable
      label={named(t.tables, table.name)}
      columns={columns}
      rows={rows}
      rowKey={(row, index) => `${row[0]} ${index}`}
      stale={stale}
      empty={t.empty[kind]}
    />
  )
}

const NOTHING = '–'

function cell(t: Texts, table: Table, row: readonly string[], index: number, isTotal: boolean) {
  const value = row[index] ?? ''
  const { unit = 'text', name = '' } = table.columns[index] ?? {}
  if (isTotal && index === 0) return <strong>{t.total}</strong>
  if (value === '') return NOTHING
  // In a cohort, the number and its part of the whole.
  if (/^m\d+$/.test(name))
    return t.ofPercent({ count: value, percent: partOf(value, row[1] ?? '') })
  return figure(t, unit, value)
}

const partOf = (part: string, whole: string) =>
  formatPercent(Math.floor((Number(part) * 1_000_000) / (Number(whole) || 1)))

function figure(t: Texts, unit: Unit, value: string): ReactNode {
  if (unit === 'money') return <Amount value={value} />
  if (unit === 'count') return Number(value).toLocaleString('en-US')
  if (unit === 'member') return <Link to={`/admin/member?uid=${value}`}>{value}</Link>
  return labelOf(t, unit, value)
}
