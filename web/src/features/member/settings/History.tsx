import { Button, Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Amount } from '@/components/Amount.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import type { components } from '@/lib/api/schema.d.ts'
import { formatMoment, zone } from '@/lib/dates.ts'
import { useSession } from '@/lib/session.ts'
import { type MemberStrings, useMemberStrings } from '@/lib/strings/member.ts'
import { named } from '@/lib/strings/named.ts'
import { serverText, term } from '@/lib/strings/serverText.ts'
import { auditOptions } from './queries.ts'
import styles from './Settings.module.css'

type Row = components['schemas']['MemberAuditRow']

/** The operators' acts on the account, newest first. */
export function History() {
  const { settings: t } = useMemberStrings()
  const { userId } = useSession()
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    auditOptions(userId),
  )
  if (error && !data) {
    return <ErrorNotice error={error} text={t.historyFailed} onRetry={() => void refetch()} />
  }
  if (!data) return <Skeleton height={120} />
  const rows = data.pages.flatMap((page) => page.data[0] ?? [])
  return (
    <div className={styles.stack}>
      <p className={styles.note}>{rows.length === 0 ? t.historyEmpty : t.historyNote}</p>
      <ul className={styles.sessions}>
        {rows.map((row) => (
          <Line key={row.no} row={row} />
        ))}
      </ul>
      {hasNextPage && (
        <Button
          variant="default"
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
          className={styles.start ?? ''}
        >
          {t.historyOlder}
        </Button>
      )}
    </div>
  )
}

/** The name of an act; an unknown one is shown as the server names it. */
const wordOf = (act: string, { settings: t }: MemberStrings) => named(t.historyActs, act)

function Line({ row }: { row: Row }) {
  const strings = useMemberStrings()
  const { settings: t } = strings
  const changed = row.was !== row.became ? [row.was, row.became] : [row.became]
  const states = changed
    .filter((state) => state !== '')
    .map(term)
    .join(' → ')
  return (
    <li className={styles.session}>
      <div className={styles.where}>
        <p>
          {wordOf(row.act, strings)} {row.subject}
          {states && ` · ${states}`}
          {row.amount && (
            <>
              {' · '}
              <Amount value={row.amount} />
            </>
          )}
        </p>
        {row.reason && <p dir="auto">{term(row.reason)}</p>}
        <p className={styles.note}>
          {formatMoment(row.at, zone())} · {t.historyBy({ who: serverText(row.by, row.byText) })}
        </p>
      </div>
    </li>
  )
}
