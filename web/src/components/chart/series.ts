export interface ChartSeries {
  name: string
  /** For drawing only: amounts lose their exactness as numbers. */
  values: readonly number[]
  /** A colour of the theme's series; by default the next one. */
  colour?: string
}

const COLOURS = ['level', 'matching', 'roi', 'rank', 'reward', 'salary', 'roi-level', 'royalty']

export const colourOf = ({ colour }: ChartSeries, index: number): string =>
  colour ?? COLOURS[index % COLOURS.length] ?? 'level'

/** The days that a chart shows, counted from its end. */
export const RANGES = [7, 30, 90, 'all'] as const
export type Range = (typeof RANGES)[number]

export interface Slice {
  labels: readonly string[]
  series: readonly ChartSeries[]
}

/** The ranges that show less than everything, and everything. */
export const rangesOf = (length: number): readonly Range[] =>
  RANGES.filter((range) => range === 'all' || range < length)

export function cut({ labels, series }: Slice, range: Range): Slice {
  if (range === 'all') return { labels, series }
  return {
    labels: labels.slice(-range),
    series: series.map((one) => ({ ...one, values: one.values.slice(-range) })),
  }
}

/**
 * Joins neighbours until at most `most` bars are left. Sums are kept; the label of a joined bar is
 * the first and the last of its own.
 */
export function gather(slice: Slice, most: number): Slice {
  const { labels, series } = slice
  const size = Math.ceil(labels.length / Math.max(1, most))
  if (size <= 1) return slice
  // The last bar is whole; what is left over is the first one.
  const first = labels.length % size
  const starts = [...(first > 0 ? [0] : [])]
  for (let at = first; at < labels.length; at += size) starts.push(at)
  const ends = [...starts.slice(1), labels.length]
  return {
    labels: starts.map((from, bar) => {
      const last = (ends[bar] ?? labels.length) - 1
      return from === last ? (labels[from] ?? '') : `${labels[from]} – ${labels[last]}`
    }),
    series: series.map((one) => ({
      ...one,
      values: starts.map((from, bar) =>
        one.values.slice(from, ends[bar]).reduce((sum, value) => sum + value, 0),
      ),
    })),
  }
}

/** The lowest and the highest value, of stacks if the series are bars; zero is inside for bars. */
export function domainOf(series: readonly ChartSeries[], kind: 'bars' | 'lines'): [number, number] {
  if (kind === 'lines') {
    const all = series.flatMap(({ values }) => values)
    return [Math.min(...all), Math.max(...all)]
  }
  const length = series[0]?.values.length ?? 0
  let [low, high] = [0, 0]
  for (let at = 0; at < length; at += 1) {
    const values = series.map((one) => one.values[at] ?? 0)
    high = Math.max(high, sumOf(values.filter((value) => value > 0)))
    low = Math.min(low, sumOf(values.filter((value) => value < 0)))
  }
  return [low, high]
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
