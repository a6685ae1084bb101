import { Chart } from '@/components/chart/Chart.tsx'
import { formatDay } from '@/lib/dates.ts'
import { axisMoney, formatMoney } from '@/lib/money.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { type Report, useFigures } from './figures.ts'

/** The booked results of Forex, oldest first. */
const resultsOf = (report: Report) =>
  report.results.filter(({ line }) => line === 'FOREX').toReversed()

/** The results as booked; before there are any, the brand's samples, labelled as such. */
export function BotCharts() {
  const { brand, landing } = useStrings()
  const { results: t } = landing
  const report = useFigures()
  if (report === undefined) return null
  const booked = report ? resultsOf(report) : []
  if (booked.length < 2) {
    return brand.bot.charts.map(({ title, note, kind, unit, labels, series }) => (
      <Chart
        key={title}
        title={title}
        note={note}
        kind={kind === 'bars' ? 'bars' : 'lines'}
        labels={labels}
        series={series}
        labelName={t.day}
        format={(value) => (unit === '$' ? axisMoney(value) : `${value} ${unit}`)}
      />
    ))
  }
  return (
    <Chart
      title={t.title}
      note={t.note}
      kind="bars"
      daily
      labels={booked.map(({ day }) => formatDay(day))}
      series={[{ name: t.title, values: booked.map(({ net }) => Number(net)) }]}
      labelName={t.day}
      format={axisMoney}
      exact={(_, at) => formatMoney(booked[at]?.net ?? '0')}
    />
  )
}
