import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Card } from '@/components/Card.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import type { components } from '@/lib/api/schema.d.ts'
import { formatMoment, zone } from '@/lib/dates.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { threadOptions } from './queries.ts'
import styles from './Tickets.module.css'

type Thread = components['schemas']['TicketThread']

/** The member's question and every operator's act on it. */
export function TicketThread({ id, seen }: { id: string; seen: number }) {
  const { tickets: t } = useConsoleStrings()
  const { data, error, refetch } = useQuery(threadOptions(id, seen))
  return (
    <Card title={t.thread}>
      {error ? (
        <ErrorNotice error={error} text={t.threadFailed} onRetry={() => void refetch()} />
      ) : data ? (
        <Messages thread={data} />
      ) : (
        <Skeleton height={120} />
      )}
    </Card>
  )
}

function Messages({ thread: { ticket, acts } }: { thread: Thread }) {
  const { tickets: t } = useConsoleStrings()
  return (
    <ol className={styles.thread}>
      <li className={styles.message}>
        <p className={styles.note}>
          {ticket.name} {t.asks} · {formatMoment(ticket.asked, zone())}
        </p>
        <p className={styles.words}>
          <bdi>{ticket.query}</bdi>
        </p>
      </li>
      {acts.map(({ kind, by, text, at }) => (
        <li key={at + kind} className={styles.message} data-ours={kind !== 'message'}>
          <p className={styles.note}>
            {by || t.somebody} {t.acts[kind]} · {formatMoment(at, zone())}
          </p>
          {text && <p className={styles.words}>{text}</p>}
        </li>
      ))}
    </ol>
  )
}
