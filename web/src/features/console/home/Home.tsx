import { PageHeader } from '@/components/PageHeader.tsx'
import { useRouteTitle } from '@/lib/route.ts'
import { Health } from './Health.tsx'
import { HeldReturns } from './HeldReturns.tsx'
import styles from './Home.module.css'
import { Money } from './Money.tsx'
import { ToDo } from './ToDo.tsx'

/** Pending decisions, the health of the installation, and the money at a glance. */
export function Component() {
  return (
    <>
      <PageHeader title={useRouteTitle()} />
      <div className={styles.page}>
        <ToDo />
        <Health />
        <Money />
        <HeldReturns />
      </div>
    </>
  )
}
