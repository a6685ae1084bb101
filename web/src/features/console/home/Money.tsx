import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Amount } from '@/components/Amount.tsx'
import { Card } from '@/components/Card.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Facts } from '@/components/Facts.tsx'
import { StatusBadge } from '@/components/StatusBadge.tsx'
import type { components } from '@/lib/api/schema.d.ts'
import { formatDay } from '@/lib/dates.ts'
import { formatPercent } from '@/lib/money.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { partName } from '@/lib/operator/names.ts'
import { transparencyOptions } from '@/lib/queries/transparency.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import styles from './Home.module.css'

type Report = components['schemas']['Report']
type Part = components['schemas']['Part']

const ONE_TO_ONE = 1_000_000

/** Liabilities and assets as of the last close: the public figures. */
export function Money() {
  const { console: t } = useConsoleStrings()
  const { data, error, refetch } = useQuery(transparencyOptions(operatorApi))
  if (error) {
    return <ErrorNotice error={error} text={t.money.failed} onRetry={() => void refetch()} />
  }
  if (!data) return <Skeleton height={240} />
  if (data.day === '') return <p>{t.money.empty}</p>
  return <Glance report={data} />
}

function Glance({ report }: { report: Report }) {
  const { console: t } = useConsoleStrings()
  const coverage = withHeld(report.coverage)
  const short = coverage.filter(({ ratio_ppm }) => ratio_ppm < ONE_TO_ONE)
  return (
    <section aria-labelledby="money">
      <h2 id="money" className={styles.heading}>
        {t.money.heading({ day: formatDay(report.day) })}
      </h2>
      {short.length > 0 && (
        <p role="alert" className={styles.alarm}>
          {t.money.alarm({ classes: short.map((cover) => t.money.covers[cover.class]).join(', ') })}
        </p>
      )}
      <div className={styles.cards}>
        <Card title={t.money.coverage}>
          <Facts facts={[...coversOf(coverage, t), ...revenueOf(report, t)]} />
        </Card>
        <Parts title={t.money.cash} parts={report.cash} />
        <Parts title={t.money.liabilities} parts={report.liabilities} />
        <Parts title={t.money.pools} parts={[...report.pools, ...report.reserves]} />
      </div>
    </section>
  )
}

type Texts = ReturnType<typeof useConsoleStrings>['console']

/** The lines are covered by their own cash and by the cash held for them in other classes. */
export function withHeld(coverage: Report['coverage']): Report['coverage'] {
  const held = coverage.find((cover) => cover.class === 'held')?.ratio_ppm ?? 0
  return coverage
    .filter((cover) => cover.class !== 'held')
    .map((cover) =>
      cover.class === 'trading' ? { ...cover, ratio_ppm: cover.ratio_ppm + held } : cover,
    )
}

const coversOf = (coverage: Report['coverage'], t: Texts) =>
  coverage.map(({ class: name, ratio_ppm }) => {
    const good = ratio_ppm >= ONE_TO_ONE
    return [
      t.money.covers[name],
      <span key={name} className={styles.ratio}>
        {formatPercent(ratio_ppm)}
        <StatusBadge word={good ? t.money.covered : t.money.short} good={good} />
      </span>,
    ] as const
  })

const revenueOf = ({ revenue, company }: Report, t: Texts) =>
  [
    [t.money.payout, formatPercent(revenue.payout_to_revenue_ppm)],
    [t.money.revenue, <Amount key="revenue" value={revenue.net} />],
    [t.money.company, <Amount key="company" value={company} />],
  ] as const

function Parts({ title, parts }: { title: string; parts: readonly Part[] }) {
  const { console: t } = useConsoleStrings()
  return (
    <Card title={title}>
      <Facts
        facts={parts.map(({ class: kind, of, amount }) => [
          partName(kind, of, t),
          <Amount key={of} value={amount} />,
        ])}
      />
    </Card>
  )
}
