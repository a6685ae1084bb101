import type { ReactNode } from 'react'
import { Amount } from '@/components/Amount.tsx'
import { formatPercent } from '@/lib/money.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { Dots } from './Dots.tsx'
import { FigureSection, FigureTable } from './Figures.tsx'
import { nameIn, type Report } from './figures.ts'
import styles from './Transparency.module.css'

/** The sources of paid incomes, and the distribution of members' results. */
export function Earnings({ report }: { report: Report }) {
  const { transparency: t } = useStrings()
  const { revenue } = report
  return (
    <>
      <FigureSection title={t.payouts}>
        <FigureTable
          caption={t.payoutsText}
          columns={[t.income, t.source, t.paid, t.reversed, t.net]}
          words={2}
          empty={t.noPayouts}
          rows={report.payouts.map((payout) => ({
            key: `${payout.income} ${payout.source}`,
            cells: [
              nameIn(t.incomes, payout.income),
              nameIn(t.sources, payout.source),
              <Amount key="paid" value={payout.paid} />,
              <Amount key="reversed" value={payout.reversed} />,
              <Amount key="net" value={payout.net} />,
            ],
          }))}
        />
        <Facts
          facts={[
            [t.revenueGross, <Amount key="gross" value={revenue.gross_final} />],
            [t.revenueReversed, <Amount key="reversed" value={revenue.reversed} />],
            [t.revenueNet, <Amount key="net" value={revenue.net} />],
            [t.revenueRetail, <Amount key="retail" value={revenue.retail} />],
            [t.payoutRatio, formatPercent(revenue.payout_to_revenue_ppm)],
          ]}
        />
      </FigureSection>
      <Disclosure report={report} />
    </>
  )
}

function Disclosure({ report: { income_disclosure: income } }: { report: Report }) {
  const { transparency: t } = useStrings()
  const percentiles = [
    [t.p25, income.p25],
    [t.median, income.median],
    [t.p75, income.p75],
    [t.p90, income.p90],
    [t.max, income.max],
  ] as const
  return (
    <FigureSection title={t.disclosure}>
      <p className={styles.muted}>{t.disclosureText}</p>
      <Dots nothing={income.share_with_no_income_ppm} />
      <Facts
        facts={[
          [t.population, income.population.toLocaleString('en-US')],
          [t.noIncome, formatPercent(income.share_with_no_income_ppm)],
          ...percentiles.map(([name, value]): Fact => [name, <Amount key={name} value={value} />]),
          [t.exceeds, formatPercent(income.share_income_exceeds_own_purchases_ppm)],
          [t.top, formatPercent(income.top_earner_share_ppm)],
          [t.retail, formatPercent(income.retail_revenue_ppm)],
        ]}
      />
    </FigureSection>
  )
}

type Fact = [name: string, value: ReactNode]

function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
