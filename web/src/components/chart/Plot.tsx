import { AxisBottom, AxisLeft } from '@visx/axis'
import { GridRows } from '@visx/grid'
import { scaleBand, scaleLinear } from '@visx/scale'
import { Bar, LinePath } from '@visx/shape'
import { type PointerEvent, useLayoutEffect, useRef, useState } from 'react'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './Chart.module.css'
import { colourOf, domainOf, gather, type Slice } from './series.ts'

interface PlotProps {
  kind: 'bars' | 'lines'
  slice: Slice
  format: (value: number) => string
  exact: (series: number, at: number) => string
  open: boolean
}

const HEIGHT = 240
const MARGIN = { top: 12, right: 8, bottom: 28, left: 64 }
/** The least width of a bar with its gap. */
const BAR = 7
/** The width that a label of the axis needs. */
const LABEL = 88

/** The element's width. Text of the drawing keeps its size on every screen. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    setWidth(element.clientWidth)
    return () => observer.disconnect()
  }, [])
  return [ref, width] as const
}

/** The drawing. Its figures are in the table too, so it is hidden from screen readers. */
export function Plot({ kind, slice, format, exact, open }: PlotProps) {
  const { chart: t } = useStrings()
  const [ref, width] = useWidth()
  const [at, setAt] = useState<number | null>(null)
  const inner = Math.max(1, width - MARGIN.left - MARGIN.right)
  const bars = kind === 'bars' ? gather(slice, Math.floor(inner / BAR)) : slice
  const whole = bars.labels.length === slice.labels.length
  const x = scaleBand({
    domain: bars.labels.map((_, index) => index),
    range: [MARGIN.left, MARGIN.left + inner],
    padding: kind === 'bars' ? 0.25 : 0,
  })
  const y = scaleLinear({
    domain: domainOf(bars.series, kind),
    range: [HEIGHT - MARGIN.bottom, MARGIN.top],
    nice: 4,
  })
  const step = Math.max(1, Math.ceil(bars.labels.length / Math.max(1, Math.floor(inner / LABEL))))
  const ticks = bars.labels.map((_, index) => index).filter((index) => index % step === 0)
  const find = (event: PointerEvent<SVGSVGElement>) => {
    const offset = event.clientX - event.currentTarget.getBoundingClientRect().left - MARGIN.left
    const found = Math.floor((offset / inner) * bars.labels.length)
    setAt(found >= 0 && found < bars.labels.length ? found : null)
  }
  const last = bars.labels.length - 1
  return (
    <div ref={ref} className={styles.plot}>
      {width > 0 && (
        <svg
          width={width}
          height={HEIGHT}
          aria-hidden="true"
          onPointerMove={find}
          onPointerDown={find}
          onPointerLeave={() => setAt(null)}
        >
          <GridRows
            scale={y}
            left={MARGIN.left}
            width={inner}
            numTicks={4}
            className={styles.grid ?? ''}
          />
          {open && (
            <rect
              className={styles.pending}
              x={x(last) ?? 0}
              y={MARGIN.top}
              width={x.bandwidth()}
              height={HEIGHT - MARGIN.top - MARGIN.bottom}
            />
          )}
          {at !== null && (
            <rect
              className={styles.cursor}
              x={(x(at) ?? 0) - (x.step() - x.bandwidth()) / 2}
              y={MARGIN.top}
              width={x.step()}
              height={HEIGHT - MARGIN.top - MARGIN.bottom}
            />
          )}
          {kind === 'bars' ? (
            <Bars slice={bars} x={x} y={y} open={open ? last : -1} />
          ) : (
            bars.series.map((one, index) => (
              <LinePath
                key={one.name}
                data={[...one.values]}
                x={(_, point) => (x(point) ?? 0) + x.bandwidth() / 2}
                y={(value) => y(value)}
                className={styles.line ?? ''}
                data-colour={colourOf(one, index)}
              />
            ))
          )}
          <AxisLeft
            scale={y}
            left={MARGIN.left}
            numTicks={4}
            hideAxisLine
            hideTicks
            tickFormat={(value) => format(Number(value))}
            tickClassName={styles.tick ?? ''}
          />
          <AxisBottom
            scale={x}
            top={HEIGHT - MARGIN.bottom}
            tickValues={ticks}
            hideTicks
            axisLineClassName={styles.axis ?? ''}
            tickFormat={(index) => (bars.labels[index] ?? '').split(' – ')[0] ?? ''}
            tickClassName={styles.tick ?? ''}
          />
        </svg>
      )}
      {at !== null && (
        <div className={styles.tip} data-end={at > last / 2} aria-hidden="true">
          <p>
            <strong>{bars.labels[at]}</strong>
            {open && at === last && ` · ${t.openDay}`}
          </p>
          {bars.series.map(
            (one, index) =>
              (bars.series.length === 1 || one.values[at] !== 0) && (
                <p key={one.name} className={styles.value}>
                  <span className={styles.swatch} data-colour={colourOf(one, index)} />
                  <span>{one.name}</span>
                  <span>{whole ? exact(index, at) : format(one.values[at] ?? 0)}</span>
                </p>
              ),
          )}
        </div>
      )}
    </div>
  )
}

interface BarsProps {
  slice: Slice
  x: ReturnType<typeof scaleBand<number>>
  y: ReturnType<typeof scaleLinear<number>>
  /** The bar that is not final; -1 if all are. */
  open: number
}

/** Stacks grow from zero: gains upwards, losses downwards. */
function Bars({ slice, x, y, open }: BarsProps) {
  return slice.labels.map((label, at) => {
    let [up, down] = [0, 0]
    return (
      <g key={label} className={styles.bars} data-open={at === open}>
        {slice.series.map((one, index) => {
          const value = one.values[at] ?? 0
          const from = value >= 0 ? up : down
          if (value >= 0) up += value
          else down += value
          const [top, bottom] = [y(Math.max(from, from + value)), y(Math.min(from, from + value))]
          return (
            <Bar
              key={one.name}
              x={x(at) ?? 0}
              y={top}
              width={x.bandwidth()}
              height={Math.max(0, bottom - top)}
              data-colour={colourOf(one, index)}
              data-loss={value < 0 && slice.series.length === 1}
            />
          )
        })}
      </g>
    )
  })
}
