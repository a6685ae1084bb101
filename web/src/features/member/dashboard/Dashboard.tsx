import { Anchor, Skeleton } from '@mantine/core'
import { useDeferredValue, useEffect } from 'react'
import { Link } from 'react-router'
import { Card } from '@/components/Card.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import { usePart } from '@/components/usePart.ts'
import { signOf } from '@/lib/money.ts'
import { type Dashboard, useDashboard } from '@/lib/queries/dashboard.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Dashboard.module.css'
import { Incomes } from './Incomes.tsx'
import { Recent } from './Recent.tsx'
import { ReferralLink } from './ReferralLink.tsx'
import { Stats } from './Stats.tsx'
import { Summary } from './Summary.tsx'

/** The dashboard of the signed-in member. */
export function Component() {
  const { dashboard: t } = useMemberStrings()
  const title = useRouteTitle()
  const { data, error, refetch } = useDashboard()
  return (
    <>
      <PageHeader title={title} />
      {data ? (
        <DashboardContent row={data} />
      ) : error ? (
        <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={320} />
      )}
    </>
  )
}

function DashboardContent({ row }: { row: Dashboard }) {
  return (
    <div className={styles.page}>
      <Summary row={row} />
      <Stats row={row} />
      {/* Below the fold: rendered in steps, between which the browser handles input. */}
      {useDeferredValue(true, false) && <Rest row={row} />}
    </div>
  )
}

/** Loads without a press, after the figures; if it fails the rest of the screen stays. */
export function LateCharts({ load = () => import('./Charts.tsx') }) {
  const { dashboard: t } = useMemberStrings()
  const { part, failed, fetchPart } = usePart(load, { quiet: true })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the retry needs a press
  useEffect(() => void fetchPart(), [])
  if (part) return <part.Charts />
  return failed ? (
    <ErrorNotice error={undefined} text={t.chartFailed} onRetry={() => void fetchPart()} />
  ) : (
    <Skeleton height={320} />
  )
}

function Rest({ row }: { row: Dashboard }) {
  const { dashboard: t } = useMemberStrings()
  return (
    <>
      <LateCharts />
      <div className={styles.columns}>
        <div className={styles.stack}>
          <div className={styles.links}>
            <ReferralLink side="Left" />
            <ReferralLink side="Right" />
          </div>
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
