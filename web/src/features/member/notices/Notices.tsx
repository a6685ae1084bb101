import { NativeSelect, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { Card } from '@/components/Card.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import { queryClient } from '@/lib/api/query.ts'
import { allNoticesOptions, markRead, type Notice } from '@/lib/queries/notices.ts'
import { useVisit } from '@/lib/queries/visit.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { useSession } from '@/lib/session.ts'
import { type MemberStrings, useMemberStrings } from '@/lib/strings/member.ts'
import { NoticeItem } from './NoticeItem.tsx'
import styles from './Notices.module.css'

type Kind = keyof MemberStrings['notices']['kinds']

const IS: Record<Kind, (notice: Notice) => boolean> = {
  all: () => true,
  unread: ({ unread }) => unread,
  money: ({ kind }) => ['bank', 'usdt', 'received'].includes(kind),
  withdrawal: ({ kind }) => kind === 'withdrawal',
  claim: ({ kind }) => kind === 'claim',
  answer: ({ kind }) => kind === 'answer',
}

const isKind = (text: string | null): text is Kind => text !== null && Object.hasOwn(IS, text)

/** The member's notices. The filter is in the address. */
export function Component() {
  const { notices: t } = useMemberStrings()
  const { userId } = useSession()
  const { data, error, refetch } = useQuery(allNoticesOptions(userId))
  const visit = useVisit()
  // Read once it is shown; the marks stay until the member leaves the screen.
  useEffect(() => {
    if (data && visit === null) void markRead(userId, data)
  }, [data, visit, userId])
  useEffect(
    () => () => void queryClient.invalidateQueries({ queryKey: ['notices', userId] }),
    [userId],
  )
  const [query, setQuery] = useSearchParams()
  const asked = query.get('show')
  const kind = isKind(asked) ? asked : 'all'
  const shown = data?.filter(IS[kind])
  return (
    <div className={styles.page}>
      <PageHeader
        title={useRouteTitle()}
        actions={
          <NativeSelect
            aria-label={t.filter}
            value={kind}
            data={Object.entries(t.kinds).map(([value, label]) => ({ value, label }))}
            onChange={({ currentTarget: { value } }) =>
              setQuery(value === 'all' ? {} : { show: value }, { replace: true })
            }
          />
        }
      />
      <Card className={styles.card}>
        {error ? (
          <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />
        ) : !shown ? (
          <Skeleton height={240} />
        ) : shown.length === 0 ? (
          <p className={styles.none}>{kind === 'all' ? t.none : t.noneOfKind}</p>
        ) : (
          <ul>
            {shown.map((notice) => (
              <li key={`${notice.kind} ${notice.id}`}>
                <NoticeItem notice={notice} />
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  )
}
