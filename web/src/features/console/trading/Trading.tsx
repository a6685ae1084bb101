import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Card } from '@/components/Card.tsx'
import { useAct } from '@/components/console/ActDialog.tsx'
import { Corrections } from '@/components/console/corrections/Corrections.tsx'
import layout from '@/components/console/layout.module.css'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import { dateColumn, moneyColumn, numberColumn, textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import type { components } from '@/lib/api/schema.d.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { transparencyOptions } from '@/lib/queries/transparency.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { Lines } from './Lines.tsx'
import { OpenBookings } from './OpenBookings.tsx'
import { bookings, subjectOf } from './tradingActs.ts'

type Report = components['schemas']['Report']

/** The results of the lines, and the acts that book new ones. */
export function Component() {
  const strings = useConsoleStrings()
  const { trading: t, table } = strings
  const { ask, dialog } = useAct()
  const { data, error, refetch } = useQuery(transparencyOptions(operatorApi))
  return (
    <>
      <PageHeader title={useRouteTitle()} />
      <div className={layout.page}>
        <Card title={t.book}>
          <p className={layout.hint}>{t.bookText}</p>
          <div className={layout.actsBelow}>
            {bookings(strings).map((act) => (
              <Button key={act.title} variant="default" onClick={() => ask(act)}>
                {act.title}
              </Button>
            ))}
          </div>
        </Card>
        <Lines />
        <OpenBookings ask={ask} />
        <Corrections ask={ask} />
        {error && <ErrorNotice error={error} text={table.failed} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton height={240} />}
        {data && (
          <>
            <h2 className={layout.heading}>{t.lines}</h2>
            <DataTable<Report['lines'][number]>
              label={t.lines}
              columns={[
                textColumn(t.line, ({ line }) => subjectOf({ sale: '', line }, strings)),
                moneyColumn(t.profit, (l) => l.profit),
                moneyColumn(t.loss, (l) => l.loss),
                moneyColumn(t.net, (l) => l.net),
                numberColumn(t.days, (l) => l.days),
                numberColumn(t.losing, (l) => l.losing_days),
              ]}
              rows={data.lines}
              rowKey={({ line }) => line}
              empty={t.empty}
            />
            <h2 className={layout.heading}>{t.results}</h2>
            <DataTable<Report['results'][number]>
              label={t.results}
              columns={[
                dateColumn(t.day, (r) => r.day),
                textColumn(t.line, ({ line }) => subjectOf({ sale: '', line }, strings)),
                moneyColumn(t.profit, (r) => r.profit),
                moneyColumn(t.loss, (r) => r.loss),
                moneyColumn(t.net, (r) => r.net),
              ]}
              rows={data.results}
              rowKey={({ day, line }) => `${day} ${line}`}
              empty={t.empty}
            />
          </>
        )}
      </div>
      {dialog}
    </>
  )
}
