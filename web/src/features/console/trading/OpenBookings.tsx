import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Act } from '@/components/console/ActDialog.tsx'
import layout from '@/components/console/layout.module.css'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import {
  type Column,
  dateColumn,
  moneyColumn,
  numberColumn,
  textColumn,
} from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import type { components } from '@/lib/api/schema.d.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import { Evidence } from './Evidence.tsx'
import { Proposals } from './Proposals.tsx'
import { bookingsOptions } from './queries.ts'
import { type Booking, cancel, subjectOf } from './tradingActs.ts'

/** Proposals, bookings that no close has processed, and booked profit without a settlement. */
export function OpenBookings({ ask }: { ask: (act: Act) => void }) {
  const strings = useConsoleStrings()
  const { trading: t, table } = strings
  const { data, error, refetch } = useQuery(bookingsOptions)
  if (error) {
    return <ErrorNotice error={error} text={table.failed} onRetry={() => void refetch()} />
  }
  return (
    <>
      <Proposals waiting={data?.waiting} decided={data?.decided} ask={ask} />
      <h2 className={layout.heading}>{t.open}</h2>
      <DataTable<Booking>
        label={t.open}
        columns={columns(strings, ask)}
        rows={data?.bookings}
        rowKey={({ id }) => id}
        empty={t.noOpen}
      />
      <h2 className={layout.heading}>{t.unsettled}</h2>
      <DataTable<components['schemas']['HeldRow']>
        label={t.unsettled}
        columns={[
          dateColumn(t.day, (h) => h.day),
          numberColumn(strings.lineBooks.age, (h) => h.age),
          textColumn(t.line, (h) => subjectOf({ sale: '', line: h.line }, strings)),
          moneyColumn(t.roi, (h) => h.roi),
          moneyColumn(t.fee, (h) => h.fee),
        ]}
        rows={data?.held}
        rowKey={({ id }) => id}
        empty={t.noUnsettled}
      />
    </>
  )
}

function columns(strings: ConsoleStrings, ask: (act: Act) => void): Column<Booking>[] {
  const { trading: t } = strings
  return [
    textColumn(t.kind, (b) => t.kinds[b.kind]),
    textColumn(t.subject, (b) => subjectOf(b, strings)),
    moneyColumn(t.amount, (b) => b.amount),
    dateColumn(t.day, (b) => b.day),
    textColumn(t.reference, (b) => b.reference),
    { header: t.evidence, cell: ({ evidence }) => <Evidence hash={evidence} /> },
    textColumn(t.by, (b) => b.operator),
    {
      header: t.cancel.confirm,
      cell: (row) => (
        <Button size="compact-sm" variant="default" onClick={() => ask(cancel(row, strings))}>
          {t.cancel.confirm}
        </Button>
      ),
    },
  ]
}
