import { Anchor, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { Card } from '@/components/Card.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import { usePart } from '@/components/usePart.ts'
import { signOf } from '@/lib/money.ts'
import { type Dashboard, useDashboard } from '@/lib/queries/dashboard.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { useSession } from '@/lib/session.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Dashboard.module.css'
import { GetStarted, LINKS } from './GetStarted.tsx'
import { Incomes } from './Incomes.tsx'
import { Overview } from './Overview.tsx'
import { overviewOptions } from './queries.ts'
import { Recent } from './Recent.tsx'
import { ReferralLink } from './ReferralLink.tsx'
import { Stats } from './Stats.tsx'
import { Summary } from './Summary.tsx'
import { InProgress } from './Tasks.tsx'
import { isActive } from './toDo.ts'

/** The dashboard of the signed-in member. */
export function Component() {
  const { dashboard: t } = useMemberStrings()
  const title = useRouteTitle()
  const { userId } = useSession()
  const { data, error, refetch } = useDashboard()
  const overview = useQuery(overviewOptions(userId))
  // The overview decides between the two screens, so that nothing moves when it arrives.
  const known = overview.data !== undefined || overview.error !== null
  return (
    <>
      <PageHeader title={title} />
      {data && known ? (
        <div className={styles.page}>
          {overview.error && (
            <ErrorNotice
              error={overview.error}
              text={t.overviewFailed}
              onRetry={() => void overview.refetch()}
            />
          )}
          {overview.data && <GetStarted row={data} overview={overview.data} />}
          {isActive(data) || !overview.data ? (
            <>
              {overview.data && <Overview row={data} overview={overview.data} />}
              <Figures row={data} />
            </>
          ) : (
            <>
              <InProgress overview={overview.data} />
              <Folded row={data} />
            </>
          )}
        </div>
      ) : error ? (
        <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </>
  )
}

/** The shape of the cards that are coming. */
function Loading() {
  return (
    <div className={styles.page}>
      <div className={styles.cards}>
        {[1, 2, 3, 4].map((card) => (
          <Skeleton key={card} height={210} radius="lg" />
        ))}
      </div>
      <Skeleton height={190} radius="lg" />
    </div>
  )
}

/** Before the first package the figures are zeros: they are folded below the first steps. */
function Folded({ row }: { row: Dashboard }) {
  const { dashboard: t } = useMemberStrings()
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Links />
      <details
        className={styles.fold}
        open={opened}
        onToggle={(event) => setOpened(event.currentTarget.open)}
      >
        <summary>{t.showAll}</summary>
        {opened && (
          <div className={styles.page}>
            <Figures row={row} links={false} />
          </div>
        )}
      </details>
    </>
  )
}

function Figures({ row, links = true }: { row: Dashboard; links?: boolean }) {
  return (
    <>
      <Summary row={row} />
      <Stats row={row} />
      {/* Below the fold: rendered in steps, between which the browser handles input. */}
      {useDeferredValue(true, false) && <Rest row={row} links={links} />}
    </>
  )
}

/** Loads without a press, after the figures; if it fails the rest of the screen stays. */
export function LateCharts({ row, load = () => import('./Charts.tsx') }: LateProps) {
  const { dashboard: t } = useMemberStrings()
  const { part, failed, fetchPart } = usePart(load, { quiet: true })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the retry needs a press
  useEffect(() => void fetchPart(), [])
  if (part) return <part.Charts row={row} />
  return failed ? (
    <ErrorNotice error={undefined} text={t.chartFailed} onRetry={() => void fetchPart()} />
  ) : (
    <Skeleton height={420} radius="lg" />
  )
}

interface LateProps {
  row: Dashboard
  load?: () => Promise<Pick<typeof import('./Charts.tsx'), 'Charts'>>
}

function Rest({ row, links }: { row: Dashboard; links: boolean }) {
  const { dashboard: t } = useMemberStrings()
  return (
    <>
      <LateCharts row={row} />
      <div className={styles.columns}>
        <div className={styles.stack}>
          {links && <Links />}
          <Recent type={1} />
          <Recent type={2} />
        </div>
        <div className={styles.stack}>
          <Incomes row={row} />
          {signOf(row.MyPackage) > 0 && (
            <Card title={t.lessons}>
              <Anchor component={Link} to="/Lessons">
                {t.openLessons}
              </Anchor>
            </Card>
          )}
        </div>
      </div>
    </>
  )
}

function Links() {
  return (
    <div id={LINKS} className={styles.links} tabIndex={-1}>
      <ReferralLink side="Left" />
      <ReferralLink side="Right" />
    </div>
  )
}
