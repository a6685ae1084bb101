import { Amount } from '@/components/Amount.tsx'
import { Chart } from '@/components/chart/Chart.tsx'
import { formatDay } from '@/lib/dates.ts'
import { axisMoney, formatMoney } from '@/lib/money.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { FigureSection, FigureTable } from './Figures.tsx'
import { nameIn, type Report, seriesOf } from './figures.ts'
import styles from './Transparency.module.css'

/** The results of trading: losses are as prominent as gains. */
export function Results({ report }: { report: Report }) {
  const { transparency: t } = useStrings()
  return (
    <FigureSection title={t.results}>
      <FigureTable
        caption={t.resultsText}
        columns={[t.line, t.profit, t.loss, t.net, t.days, t.losingDays]}
        empty={t.nothing}
        rows={report.lines.map((line) => ({
          key: line.line,
          cells: [
            nameIn(t.ofs, line.line),
            <Amount key="profit" value={line.profit} />,
            <Amount key="loss" value={line.loss} />,
            <Amount key="net" value={line.net} sign="always" />,
            line.days,
            line.losing_days,
          ],
        }))}
      />
      <div className={styles.charts}>
        {seriesOf(report).map(({ line, days, nets }) => (
          <Chart
            key={line}
            title={t.chartTitle({ line: nameIn(t.ofs, line) })}
            note={t.chartNote}
            kind="bars"
            daily
            labels={days.map(formatDay)}
            labelName={t.day}
            series={[{ name: t.net, values: nets.map(Number) }]}
            format={axisMoney}
            exact={(_, at) => formatMoney(nets[at] ?? '0')}
          />
        ))}
      </div>
    </FigureSection>
  )
}
