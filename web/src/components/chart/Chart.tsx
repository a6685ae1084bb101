import { type ReactNode, useId, useState } from 'react'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './Chart.module.css'
import { Choice } from './Choice.tsx'
import { Plot } from './Plot.tsx'
import { type ChartSeries, colourOf, cut, type Range, rangesOf } from './series.ts'

interface ChartProps {
  title: string
  /** Below the chart: what it shows, and its limits. */
  note?: ReactNode
  /** Bars of several series are stacked; negative values are below zero and red if alone. */
  kind: 'bars' | 'lines'
  labels: readonly string[]
  series: readonly ChartSeries[]
  /** A value of the axis. */
  format: (value: number) => string
  /** The exact value, for the table and the hover; by default `format`. */
  exact?: (series: number, at: number) => string
  /** The labels are days: a range can be chosen. */
  daily?: boolean
  /** The heading of the labels in the table. */
  labelName: string
  /** The last value is not final. */
  open?: boolean
  /** At the end of the title's line. */
  actions?: ReactNode
}

/** A chart with a legend, a range, and the same figures as a table. */
export function Chart(props: ChartProps) {
  const { title, note, kind, labels, series, format, daily, labelName, open, actions } = props
  const { chart: t } = useStrings()
  const titleId = useId()
  const [range, setRange] = useState<Range>(daily && labels.length > 30 ? 30 : 'all')
  const ranges = daily ? rangesOf(labels.length) : []
  const from = range === 'all' ? 0 : Math.max(0, labels.length - range)
  const exact = (index: number, at: number) =>
    props.exact?.(index, from + at) ?? format(series[index]?.values[from + at] ?? 0)
  const shown = cut({ labels, series }, range)
  return (
    <figure className={styles.figure} aria-labelledby={titleId}>
      <div className={styles.head}>
        <h3 id={titleId} className={styles.title}>
          {title}
        </h3>
        {ranges.length > 1 && (
          <Choice
            legend={t.range}
            value={range}
            options={ranges.map((one) => [one, one === 'all' ? t.all : t.days({ count: one })])}
            onChange={setRange}
          />
        )}
        {actions}
      </div>
      <Plot kind={kind} slice={shown} format={format} exact={exact} open={open ?? false} />
      {series.length > 1 && (
        <ul className={styles.legend}>
          {series.map((one, index) => (
            <li key={one.name}>
              <span className={styles.swatch} data-colour={colourOf(one, index)} />
              {one.name}
            </li>
          ))}
        </ul>
      )}
      {note && <figcaption className={styles.note}>{note}</figcaption>}
      <details className={styles.details}>
        <summary>{t.asTable}</summary>
        <div className={styles.scroll}>
          <table>
            <thead>
              <tr>
                <th scope="col">{labelName}</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.labels.map((label, at) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  {series.map(({ name }, index) => (
                    <td key={name}>{exact(index, at)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}
