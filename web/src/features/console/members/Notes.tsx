import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Card } from '@/components/Card.tsx'
import { type Act, useAct } from '@/components/console/ActDialog.tsx'
import layout from '@/components/console/layout.module.css'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Older } from '@/components/table/Older.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import { underKey } from '@/lib/api/submit.ts'
import { formatMoment, zone } from '@/lib/dates.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { useMay } from '@/lib/operator/rights.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import styles from './Member.module.css'
import { notesOptions } from './queries.ts'

/** The operators' notes about the member. */
export function Notes({ uid }: { uid: string }) {
  const strings = useConsoleStrings()
  const { members: t, table } = strings
  const { ask, dialog } = useAct()
  const may = useMay()
  const [before, setBefore] = useState(0)
  const { data, error, refetch } = useQuery(notesOptions(uid, before))
  const add = may('note') && (
    <Button size="compact-sm" variant="default" onClick={() => ask(note(uid, strings))}>
      {t.note.confirm}
    </Button>
  )
  return (
    <Card title={t.notes} actions={add}>
      {error && <ErrorNotice error={error} text={table.failed} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={60} />}
      {data?.data[0]?.length === 0 && <p className={layout.hint}>{t.noNotes}</p>}
      <ul>
        {data?.data[0]?.map(({ id, text, name, at }) => (
          <li key={id} className={styles.note}>
            {text}
            <p className={layout.hint}>
              {name} · {formatMoment(at, zone())}
            </p>
          </li>
        ))}
      </ul>
      <Older before={before} next={data?.next ?? 0} onTurn={setBefore} />
      {dialog}
    </Card>
  )
}

const note = (uid: string, { members: t }: ConsoleStrings): Act => ({
  ...t.note,
  fields: [{ name: 'text', label: t.noteText, kind: 'area', most: 2000 }],
  call: ({ text = '' }, key) =>
    answerOf(
      operatorApi.POST('/api/operator/member/note', { body: { uid, text }, ...underKey(key) }),
    ),
})
