import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Act, useAct } from '@/components/ActDialog.tsx'
import { Card } from '@/components/Card.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { answerOf, listOf } from '@/lib/api/answer.ts'
import { underKey } from '@/lib/api/submit.ts'
import { formatMoment } from '@/lib/dates.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { useMay } from '@/lib/operator/rights.ts'
import { type Strings, useStrings } from '@/lib/strings/index.ts'
import styles from './Member.module.css'

const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** What operators told each other about the member. */
export function Notes({ uid }: { uid: string }) {
  const strings = useStrings()
  const { members: t, table } = strings
  const { ask, dialog } = useAct()
  const may = useMay()
  const { data, error, refetch } = useQuery({
    queryKey: ['notes', uid],
    queryFn: () =>
      listOf(operatorApi.GET('/api/operator/member/notes', { params: { query: { uid } } })),
  })
  const add = may('note') && (
    <Button size="compact-sm" variant="default" onClick={() => ask(note(uid, strings))}>
      {t.note.confirm}
    </Button>
  )
  return (
    <Card title={t.notes} actions={add}>
      {error && <ErrorNotice error={error} text={table.failed} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={60} />}
      {data?.rows.length === 0 && <p className={styles.meta}>{t.noNotes}</p>}
      <ul>
        {data?.rows.map(({ id, text, name, at }) => (
          <li key={id} className={styles.note}>
            {text}
            <p className={styles.meta}>
              {name} · {formatMoment(at, zone())}
            </p>
          </li>
        ))}
      </ul>
      {dialog}
    </Card>
  )
}

const note = (uid: string, { members: t }: Strings): Act => ({
  ...t.note,
  fields: [{ name: 'text', label: t.noteText, kind: 'area', most: 2000 }],
  call: ({ text = '' }, key) =>
    answerOf(
      operatorApi.POST('/api/operator/member/note', { body: { uid, text }, ...underKey(key) }),
    ),
})
