import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Amount } from '@/components/Amount.tsx'
import { Card } from '@/components/Card.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { formatDay } from '@/lib/dates.ts'
import { formatMoney } from '@/lib/money.ts'
import { useSession } from '@/lib/session.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { areasOf, type DayIncome, HEIGHT, WIDTH } from './areas.ts'
import styles from './Charts.module.css'
import { incomeByDayOptions } from './queries.ts'

/** The member's accumulated income by day and kind: a stacked area that ends at the totals. */
export function IncomeChart() {
  const { dashboard: t } = useMemberStrings()
  const { userId } = useSession()
  const { data, error, refetch } = useQuery(incomeByDayOptions(userId))
  return (
    <Card title={t.incomeChart}>
      {error ? (
        <ErrorNotice error={error} text={t.chartFailed} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={240} />
      ) : data.length === 0 ? (
        <p className={styles.empty}>{t.noIncome}</p>
      ) : (
        <Areas rows={data} />
      )}
    </Card>
  )
}

function Areas({ rows }: { rows: readonly DayIncome[] }) {
  const { dashboard: t, why } = useMemberStrings()
  const { areas, first, last, total } = areasOf(rows)
  return (
    <>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t.incomeChartLabel({
          total: formatMoney(total),
          from: formatDay(first),
          to: formatDay(last),
        })}
        className={styles.areas}
      >
        {areas.map(({ kind, path }) => (
          <path key={kind} d={path} data-kind={kind} />
        ))}
      </svg>
      <p className={styles.axis}>
        <span>{formatDay(first)}</span>
        <span className={styles.soFar}>
          {t.soFar} <Amount value={total} />
        </span>
        <span>{formatDay(last)}</span>
      </p>
      <ul className={styles.legend}>
        {areas.map(({ kind, sum }) => (
          <li key={kind}>
            <span className={styles.swatch} data-kind={kind} />
            {why.kinds[kind]} <Amount value={sum} />
          </li>
        ))}
      </ul>
    </>
  )
}
