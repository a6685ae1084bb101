import { Alert, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Act, type ActField, useAct } from '@/components/console/ActDialog.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import { type Column, dateColumn, textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { addPasskey, proofOf } from '@/lib/operator/passkey.ts'
import { passkeysOptions } from '@/lib/operator/queries/passkeys.ts'
import { whyNot } from '@/lib/passkey.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import { serverText } from '@/lib/strings/serverText.ts'

type Row = components['schemas']['PasskeyRow']

/** The operator's passkeys, which sign in without password and code. */
export function Component() {
  const strings = useConsoleStrings()
  const { console: t, table } = strings
  const title = useRouteTitle()
  const { ask, dialog } = useAct()
  const { data, error, refetch } = useQuery(passkeysOptions)
  const why = data && (serverText(data.refusal, data) || whyNot(data.origin, t.passkeys))
  return (
    <>
      <PageHeader
        title={title}
        actions={why === '' && <Button onClick={() => ask(add(strings))}>{t.passkeys.add}</Button>}
      />
      {why && <Alert variant="default" title={why} mb="md" />}
      {error ? (
        <ErrorNotice error={error} text={table.failed} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={title}
          columns={columns(strings, (row) => ask(remove(strings, row)))}
          rows={data?.passkeys}
          rowKey={({ id }) => id}
          empty={t.passkeys.empty}
        />
      )}
      {dialog}
    </>
  )
}

function columns({ console: t }: ConsoleStrings, onRemove: (row: Row) => void): Column<Row>[] {
  return [
    textColumn(t.passkeys.name, (p) => p.name),
    dateColumn(t.passkeys.created, (p) => p.created),
    dateColumn(t.passkeys.used, (p) => p.used),
    {
      header: t.passkeys.remove,
      cell: (row) => (
        <Button size="compact-sm" variant="default" onClick={() => onRemove(row)}>
          {t.passkeys.remove}
        </Button>
      ),
    },
  ]
}

/** Needs a proof of identity: an unattended screen must not be enough to add a passkey. */
const proof = ({ console: t }: ConsoleStrings): ActField[] => [
  { name: 'password', label: t.passkeys.password, kind: 'password' },
  { name: 'code', label: t.passkeys.code, optional: true, most: 30 },
]

const add = (strings: ConsoleStrings): Act => {
  const { passkeys: t } = strings.console
  return {
    title: t.addTitle,
    text: t.addText,
    fields: [{ name: 'name', label: t.name, most: 60 }, ...proof(strings)],
    confirm: t.add,
    done: t.added,
    call: ({ name = '', password = '', code = '' }, key) =>
      addPasskey(name, { password, code }, key, t),
  }
}

const remove = (strings: ConsoleStrings, { id, name }: Row): Act => {
  const { passkeys: t } = strings.console
  return {
    title: t.removeTitle,
    text: t.removeText,
    facts: [[t.name, name]],
    fields: proof(strings),
    confirm: t.remove,
    done: t.removed,
    call: async ({ password = '', code = '' }, key) =>
      answerOf(
        operatorApi.POST('/api/operator/passkeys/remove', {
          body: { id, ...(await proofOf({ password, code }, t)) },
          ...underKey(key),
        }),
      ),
  }
}
