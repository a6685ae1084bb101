import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Act, useAct } from '@/components/console/ActDialog.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import { type Column, dateColumn, textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import { deviceOf } from '@/lib/device.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import { sessionsOptions } from './queries.ts'

type Row = components['schemas']['OperatorSessionRow']

/** The operator's sessions, which can be ended. */
export function Component() {
  const strings = useConsoleStrings()
  const { console: t, table } = strings
  const title = useRouteTitle()
  const { ask, dialog } = useAct()
  const { data, error, refetch } = useQuery(sessionsOptions)
  const others = (data?.total ?? 0) > 1
  return (
    <>
      <PageHeader
        title={title}
        actions={
          others && (
            <Button variant="default" onClick={() => ask(endOthers(strings))}>
              {t.sessions.endOthers}
            </Button>
          )
        }
      />
      {error ? (
        <ErrorNotice error={error} text={table.failed} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={title}
          columns={columns(strings, (row) => ask(endOne(strings, row)))}
          rows={data?.rows}
          rowKey={({ id }) => id}
          empty={t.sessions.empty}
        />
      )}
      {dialog}
    </>
  )
}

function columns({ console: t, device }: ConsoleStrings, onEnd: (row: Row) => void): Column<Row>[] {
  return [
    textColumn(t.sessions.address, (s) => s.address),
    textColumn(t.sessions.agent, (s) => deviceOf(s.agent, device)),
    dateColumn(t.sessions.created, (s) => s.created),
    dateColumn(t.sessions.seen, (s) => s.seen),
    dateColumn(t.sessions.expires, (s) => s.expires),
    {
      header: t.sessions.end,
      cell: (row) =>
        row.current ? (
          t.sessions.current
        ) : (
          <Button size="compact-sm" variant="default" onClick={() => onEnd(row)}>
            {t.sessions.end}
          </Button>
        ),
    },
  ]
}

const endOne = ({ console: t }: ConsoleStrings, { id, address }: Row): Act => ({
  title: t.sessions.endTitle,
  facts: [[t.sessions.address, address]],
  confirm: t.sessions.end,
  done: t.sessions.ended,
  call: (_, key) =>
    answerOf(operatorApi.POST('/api/operator/sessions/end', { body: { id }, ...underKey(key) })),
})

const endOthers = ({ console: t }: ConsoleStrings): Act => ({
  title: t.sessions.endOthersTitle,
  confirm: t.sessions.endOthers,
  done: t.sessions.ended,
  call: (_, key) => answerOf(operatorApi.POST('/api/operator/sessions/endOthers', underKey(key))),
})
