import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import layout from '@/components/console/layout.module.css'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { dateColumn, moneyColumn, numberColumn, textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { type LineBook, tradingLinesOptions } from '@/lib/operator/queries/tradingLines.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { named } from '@/lib/strings/named.ts'

/** The trading lines: principal, carried loss, reserve, and returns on Hold. */
export function Lines() {
  const { lineBooks: t, console } = useConsoleStrings()
  const { data, error, refetch } = useQuery(tradingLinesOptions)
  if (error) return <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={120} />
  return (
    <>
      <h2 className={layout.heading}>{t.title}</h2>
      <DataTable<LineBook>
        label={t.title}
        dense
        columns={[
          textColumn(t.line, (l) => named(console.codes, l.line)),
          numberColumn(t.positions, (l) => l.positions),
          moneyColumn(t.principal, (l) => l.principal),
          moneyColumn(t.loss, (l) => l.loss),
          moneyColumn(t.reserve, (l) => l.reserve),
          moneyColumn(t.roi, (l) => l.roi),
          moneyColumn(t.fee, (l) => l.fee),
          numberColumn(t.batches, (l) => l.batches),
          dateColumn(t.oldest, (l) => l.oldest),
          numberColumn(t.age, (l) => (l.batches > 0 ? l.age : '')),
          numberColumn(t.claims, (l) => l.claims),
          moneyColumn(t.claimed, (l) => l.claimed),
          moneyColumn(t.recalled, (l) => l.recalled),
        ]}
        rows={data}
        rowKey={({ line }) => line}
        empty={t.empty}
      />
    </>
  )
}
