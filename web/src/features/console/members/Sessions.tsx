import { Button } from '@mantine/core'
import { Card } from '@/components/Card.tsx'
import { type Act, useAct } from '@/components/console/ActDialog.tsx'
import { type Column, dateColumn, textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import { underKey } from '@/lib/api/submit.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { useMay } from '@/lib/operator/rights.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import { reasonField, type View } from './memberActs.ts'

type Session = View['sessions'][number]

/** The member's sessions, which can be ended. */
export function Sessions({ view }: { view: View }) {
  const strings = useConsoleStrings()
  const { members: t, memberDetails } = strings
  const { ask, dialog } = useAct()
  const may = useMay()('visit')
  const { uid } = view.person
  const end: Column<Session> = {
    header: memberDetails.signOut.confirm,
    cell: ({ id, address }) => (
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => ask({ ...signOut(uid, strings, id), facts: [[t.from, address]] })}
      >
        {memberDetails.signOut.confirm}
      </Button>
    ),
  }
  const all = may && view.sessions.length > 0 && (
    <Button size="compact-sm" variant="default" onClick={() => ask(signOut(uid, strings))}>
      {memberDetails.signOutAll.confirm}
    </Button>
  )
  return (
    <Card title={t.sessions} actions={all}>
      <DataTable<Session>
        label={t.sessions}
        columns={[
          textColumn(t.sessionKind, (s) => t.kinds[s.kind]),
          textColumn(t.from, (s) => s.address),
          textColumn(t.reason, (s) => s.reason),
          dateColumn(t.since, (s) => s.created),
          dateColumn(t.seen, (s) => s.seen),
          ...(may ? [end] : []),
        ]}
        rows={view.sessions}
        rowKey={({ id }) => id}
        empty={t.noSessions}
      />
      {dialog}
    </Card>
  )
}

const signOut = (uid: string, strings: ConsoleStrings, id?: string): Act => ({
  ...(id ? strings.memberDetails.signOut : strings.memberDetails.signOutAll),
  fields: [reasonField(strings)],
  call: ({ reason = '' }, key) =>
    answerOf(
      operatorApi.POST('/api/operator/member/sessions/end', {
        body: { uid, reason, ...(id && { id }) },
        ...underKey(key),
      }),
    ),
})
