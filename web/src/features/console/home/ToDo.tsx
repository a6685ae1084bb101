import { Skeleton } from '@mantine/core'
import { Link } from 'react-router'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { useMe } from '@/lib/operator/queries/me.ts'
import { useToDo } from '@/lib/operator/queries/toDo.ts'
import { has, type Right } from '@/lib/operator/rights.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import styles from './Home.module.css'

const TILES = [
  ['funds', '/admin/funds'],
  ['withdrawals', '/admin/withdrawals'],
  ['approved', '/admin/withdrawals?state=Approved'],
  ['sent', '/admin/withdrawals?state=Sent'],
  ['batches', '/admin/payouts'],
  ['claims', '/admin/claims'],
  ['tickets', '/admin/tickets'],
  ['overdue', '/admin/tickets?overdue=true'],
  ['closes', '/admin/close'],
  ['bookings', '/admin/trading'],
  ['corrections', '/admin/trading'],
  ['plans', '/admin/plan'],
  ['brand', '/admin/brand'],
  ['settings', '/admin/settings'],
  ['proposals', '/admin/operators'],
  ['erasures', '/admin/members'],
] as const

/** The rights that some tiles need. */
const FOR: Partial<Record<(typeof TILES)[number][0], Right>> = {
  bookings: 'money',
  corrections: 'money',
  proposals: 'operators',
  erasures: 'compliance',
}

export function ToDo() {
  const { console: t } = useConsoleStrings()
  const { data: me } = useMe()
  const role = me?.role ?? ''
  const { data, error, refetch } = useToDo()
  if (error) {
    return <ErrorNotice error={error} text={t.home.failed} onRetry={() => void refetch()} />
  }
  if (!data || !me) return <Skeleton height={160} />
  const { counts, forMe } = data
  const all = TILES.filter(([name]) => has(role, FOR[name] ?? 'everybody'))
  const waiting = all.filter(([name]) => counts[name] > 0)
  const tiles = [
    ...waiting.filter(([name]) => forMe.has(name)),
    ...waiting.filter(([name]) => !forMe.has(name)),
  ]
  const empty = all.filter(([name]) => counts[name] === 0)
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting" className={styles.heading}>
        {t.home.waiting}
      </h2>
      {tiles.length === 0 && <p className={styles.clear}>{t.home.clear}</p>}
      <div className={styles.tiles}>
        {tiles.map(([name, to]) => (
          <Link
            key={name}
            to={to}
            className={styles.tile}
            data-waits={forMe.has(name)}
            data-late={name === 'overdue'}
          >
            <span className={styles.count}>{counts[name]}</span>
            <span className={styles.label}>{t.home.tiles[name]}</span>
            {forMe.has(name) && <span className={styles.you}>{t.home.you}</span>}
          </Link>
        ))}
      </div>
      {empty.length > 0 && (
        <details className={styles.empty}>
          <summary>{t.home.empty({ count: empty.length })}</summary>
          <ul className={styles.queues}>
            {empty.map(([name, to]) => (
              <li key={name}>
                <Link to={to}>{t.home.tiles[name]}</Link>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}
