import { Skeleton } from '@mantine/core'
import { lazy, Suspense, useDeferredValue } from 'react'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import { type Dashboard, useDashboard } from '@/lib/api/dashboard.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Dashboard.module.css'
import { Incomes } from './Incomes.tsx'
import { Recent } from './Recent.tsx'
import { ReferralLink } from './ReferralLink.tsx'
import { Stats } from './Stats.tsx'
import { Summary } from './Summary.tsx'

const Charts = lazy(() => import('./Charts.tsx'))

/** The signed-in member at a glance. */
export function Component() {
  const { dashboard: t } = useMemberStrings()
  const title = useRouteTitle()
  const { data, error, refetch } = useDashboard()
  return (
    <>
      <PageHeader title={title} />
      {data ? (
        <Whole row={data} />
      ) : error ? (
        <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={320} />
      )}
    </>
  )
}

function Whole({ row }: { row: Dashboard }) {
  return (
    <div className={styles.page}>
      <Summary row={row} />
      <Stats row={row} />
      {/* Below the fold: in pieces, between which the browser answers people. */}
      {useDeferredValue(true, false) && <Rest row={row} />}
    </div>
  )
}

function Rest({ row }: { row: Dashboard }) {
  return (
    <>
      <Suspense fallback={<Skeleton height={320} />}>
        <Charts />
      </Suspense>
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
        </div>
      </div>
    </>
  )
}
