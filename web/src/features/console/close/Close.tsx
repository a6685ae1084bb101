import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import layout from '@/components/console/layout.module.css'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import {
  type Column,
  dateColumn,
  numberColumn,
  termColumn,
  textColumn,
} from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import type { components } from '@/lib/api/schema.d.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import { named } from '@/lib/strings/named.ts'
import { Calendar } from './Calendar.tsx'
import { NextDay } from './NextDay.tsx'
import { PastDay } from './PastDay.tsx'
import { closedDaysOptions, PAGE_SIZE } from './queries.ts'

type Day = components['schemas']['ClosedDay']

/** The next day to close, and the closed days. */
export function Component() {
  const strings = useConsoleStrings()
  const { closes: t, table } = strings
  const [before, setBefore] = useState('')
  const [params, setParams] = useSearchParams()
  const day = /^\d{4}-\d{2}-\d{2}$/.exec(params.get('day') ?? '')?.[0] ?? ''
  const choose = (next: string) =>
    setParams(next === '' ? {} : { day: next }, { preventScrollReset: true })
  const { data, error, refetch } = useQuery(closedDaysOptions(before))
  const days = data?.days
  return (
    <>
      <PageHeader title={useRouteTitle()} />
      {error ? (
        <ErrorNotice error={error} text={table.failed} onRetry={() => void refetch()} />
      ) : (
        <div className={layout.page}>
          {data && <NextDay next={data.next} />}
          {data && <Calendar next={data.next.day} selected={day} onSelect={choose} />}
          {day && <PastDay key={day} day={day} onClose={() => choose('')} />}
          <DataTable
            label={t.closed}
            columns={columns(strings, choose)}
            rows={days}
            rowKey={({ day }) => day}
            empty={t.empty}
          />
          <div className={layout.actsBelow}>
            {before !== '' && (
              <Button variant="default" onClick={() => setBefore('')}>
                {t.newest}
              </Button>
            )}
            {days?.length === PAGE_SIZE && (
              <Button variant="default" onClick={() => setBefore(days.at(-1)?.day ?? '')}>
                {t.earlier}
              </Button>
            )}
          </div>
        </div>
      )}
    </>
  )
}

function columns(
  { closes: t, closeDay }: ConsoleStrings,
  choose: (day: string) => void,
): Column<Day>[] {
  const alone = (day: Day) => named(t.alone, day.alone)
  return [
    dateColumn(t.day, (d) => d.day),
    numberColumn(t.rows, (d) => d.rows),
    termColumn(t.proposedBy, (d) => d.proposed_by),
    termColumn(t.approvedBy, (d) => d.approved_by),
    textColumn(t.aloneHead, alone),
    dateColumn(t.closedAt, (d) => d.at),
    textColumn(t.plan, (d) => d.plan),
    { header: t.digest, cell: (d) => <code title={d.digest}>{d.digest.slice(0, 12)}…</code> },
    {
      header: closeDay.look,
      cell: ({ day }) => (
        <Button size="compact-sm" variant="default" onClick={() => choose(day)}>
          {closeDay.look}
        </Button>
      ),
    },
  ]
}
