import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Card } from '@/components/Card.tsx'
import { Chart } from '@/components/chart/Chart.tsx'
import { Choice } from '@/components/chart/Choice.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { formatDay } from '@/lib/dates.ts'
import { formatMoney, plus } from '@/lib/money.ts'
import { useSession } from '@/lib/session.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Dashboard.module.css'
import { cumulated, nextDay, seriesOf } from './days.ts'
import { INCOME_KINDS } from './kinds.ts'
import { type DayIncome, incomeByDayOptions, overviewOptions } from './queries.ts'

/** The member's income by day and kind. */
export function IncomeChart() {
  const { dashboard: t } = useMemberStrings()
  const { userId } = useSession()
  const { data, error, refetch } = useQuery(incomeByDayOptions(userId))
  const overview = useQuery(overviewOptions(userId))
  if (data && data.length > 0 && overview.data) {
    return <Days rows={data} closed={overview.data.day} />
  }
  return (
    <Card title={t.incomeChart}>
      {error || overview.error ? (
        <ErrorNotice
          error={error ?? overview.error}
          text={t.chartFailed}
          onRetry={() => void Promise.all([refetch(), overview.refetch()])}
        />
      ) : data?.length === 0 ? (
        <p className={styles.empty}>{t.noIncome}</p>
      ) : (
        <Skeleton height={300} />
      )}
    </Card>
  )
}

const axis = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
})

function Days({ rows, closed }: { rows: readonly DayIncome[]; closed: string }) {
  const { dashboard: t } = useMemberStrings()
  const [mode, setMode] = useState<'daily' | 'cumulative'>('daily')
  const { days, series } = seriesOf(rows, closed)
  const shown = INCOME_KINDS.flatMap((kind) => {
    const found = series.find(({ row }) => row === kind.row)
    if (!found) return []
    return [{ kind, amounts: mode === 'daily' ? found.amounts : cumulated(found.amounts) }]
  })
  const last = days.at(-1) ?? closed
  const daily = mode === 'daily'
  // The day after the last closed one has no income yet: it is marked, not drawn as zero.
  const labels = [...days.map(formatDay), ...(daily ? [formatDay(nextDay(last))] : [])]
  return (
    <Card>
      <Chart
        title={t.incomeChart}
        kind={daily ? 'bars' : 'lines'}
        labels={labels}
        series={shown.map(({ kind, amounts }) => ({
          name: t[kind.text],
          colour: kind.colour,
          values: [...amounts.map(Number), ...(daily ? [0] : [])],
        }))}
        format={(value) => axis.format(value)}
        exact={(index, at) => {
          const amount = shown[index]?.amounts[at]
          return amount === undefined ? '–' : formatMoney(amount)
        }}
        daily
        open={daily}
        labelName={t.day}
        actions={
          <Choice
            legend={t.chartMode}
            value={mode}
            options={[
              ['daily', t.daily],
              ['cumulative', t.cumulative],
            ]}
            onChange={setMode}
          />
        }
        note={t.incomeNote({
          total: formatMoney(plus(...rows.map(({ amount }) => amount))),
          day: formatDay(last),
        })}
      />
    </Card>
  )
}
