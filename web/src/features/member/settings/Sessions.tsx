import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { useCheckedForm, useSend } from '@/components/form/form.ts'
import { StatusBadge } from '@/components/StatusBadge.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { formatMoment, zone } from '@/lib/dates.ts'
import { deviceOf } from '@/lib/device.ts'
import { sessionsOptions } from '@/lib/queries/sessions.ts'
import { useSession } from '@/lib/session.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Settings.module.css'

type Row = components['schemas']['SessionRow']

const NO_RULES = [] as const

function useSessions() {
  const { userId } = useSession()
  // Another device may have signed in since the shell asked.
  return useQuery({ ...sessionsOptions(userId), staleTime: 0 })
}

/** The member's sessions, an operator's visit included; each can be ended. */
export function Sessions() {
  const { settings: t } = useMemberStrings()
  const { data, error, refetch } = useSessions()
  const others = useEnding(t.othersEnded, () => answerOf(api.POST('/api/sessions/endOthers', {})))
  if (error) {
    return <ErrorNotice error={error} text={t.sessionsFailed} onRetry={() => void refetch()} />
  }
  if (!data) return <Skeleton height={120} />
  return (
    <div className={styles.stack}>
      <p className={styles.note}>{t.sessionsNote}</p>
      <ul className={styles.sessions}>
        {data.map((row) => (
          <SessionLine key={row.id} row={row} />
        ))}
      </ul>
      {data.length > 1 && (
        <Button
          variant="default"
          disabled={others.busy}
          onClick={() => void others.send()}
          className={styles.start ?? ''}
        >
          {t.endOthers}
        </Button>
      )}
    </div>
  )
}

/** Ends sessions and reads the list again. */
function useEnding(done: string, call: () => Promise<unknown>) {
  const { refetch } = useSessions()
  return useSend({
    form: useCheckedForm({}, NO_RULES),
    call,
    outcome: () => ({ done: true, text: done }),
    onDone: () => refetch(),
  })
}

function SessionLine({ row }: { row: Row }) {
  const { settings: t, device } = useMemberStrings()
  const { busy, send } = useEnding(t.sessionEnded, () =>
    answerOf(api.POST('/api/sessions/end', { body: { id: row.id } })),
  )
  return (
    <li className={styles.session}>
      <div className={styles.where}>
        <p>
          {row.kind === 'visit'
            ? t.visit({ reason: row.reason })
            : deviceOf(row.agent, device) || t.unknownDevice}{' '}
          {row.current && <StatusBadge word={t.thisDevice} good />}
        </p>
        <p className={styles.note}>
          {row.address} · {t.lastSeen({ moment: formatMoment(row.seen, zone()) })}
        </p>
      </div>
      {!row.current && (
        <Button
          variant="default"
          size="xs"
          aria-label={t.endOf({ address: row.address })}
          disabled={busy}
          onClick={() => void send()}
        >
          {t.end}
        </Button>
      )}
    </li>
  )
}
