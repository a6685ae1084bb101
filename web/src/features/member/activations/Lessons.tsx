import { Anchor, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { BookOpen, Lock } from 'lucide-react'
import { Link } from 'react-router'
import { Card } from '@/components/Card.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { PageHeader, PageStack } from '@/components/PageHeader.tsx'
import { useRouteTitle } from '@/lib/route.ts'
import { useSession } from '@/lib/session.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { term } from '@/lib/strings/serverText.ts'
import styles from './Lessons.module.css'
import { lessonsOptions } from './queries.ts'

/** The lessons that come with a package; without one only their titles. */
export function Component() {
  const { lessons: t } = useMemberStrings()
  const { userId } = useSession()
  const { data, error, refetch } = useQuery(lessonsOptions(userId))
  return (
    <PageStack>
      <PageHeader title={useRouteTitle()} />
      {error && <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={320} />}
      {data && !data.owner && (
        <Card>
          <p className={styles.locked}>
            <Lock size={20} aria-hidden="true" />
            <span>
              {t.locked}{' '}
              <Anchor component={Link} to="/RobotActivation">
                {t.toActivation}
              </Anchor>
            </span>
          </p>
        </Card>
      )}
      {data && (
        <Card title={t.count({ count: String(data.lessons.length) })}>
          {data.lessons.map(({ title, paragraphs }, at) =>
            data.owner ? (
              <details key={title} className={styles.lesson} open={at === 0}>
                <summary>
                  <BookOpen size={20} aria-hidden="true" />
                  {term(title)}
                </summary>
                {paragraphs.map((text) => (
                  <p key={text}>{term(text)}</p>
                ))}
              </details>
            ) : (
              <p key={title} className={styles.title}>
                <Lock size={20} aria-hidden="true" />
                {term(title)}
              </p>
            ),
          )}
        </Card>
      )}
    </PageStack>
  )
}
