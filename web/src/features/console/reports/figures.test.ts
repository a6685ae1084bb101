import { english } from 'messages:console'
import { describe, expect, it } from 'vitest'
import { CHARTS, columnName, drawingOf, isEmpty, labelOf, type Report } from './figures.ts'
import { periodOf } from './periods.ts'

const t = english.reports

const report = (rows: string[][], total: string[] = []): Report => ({
  kind: 'coverage',
  from: '2026-11-01',
  to: '2026-11-03',
  bucket: 'day',
  closed: '2026-11-03',
  tables: [
    {
      name: 'time',
      columns: [
        { name: 'day', unit: 'day' },
        { name: 'deposits', unit: 'share' },
        { name: 'incomes', unit: 'share' },
        { name: 'trading', unit: 'share' },
        { name: 'all', unit: 'share' },
      ],
      rows,
      total,
    },
  ],
})

const whole = ['1000000', '1000000', '1000000', '1000000']

describe('what is drawn of a report', () => {
  const [, spec] = CHARTS.coverage
  if (!spec) throw new Error('nothing is drawn of coverage')

  it('leaves out of a line what has no figure', () => {
    const drawing = drawingOf(
      report([
        ['2026-11-01', ...whole],
        ['2026-11-02', '', '', '', ''],
        ['2026-11-03', '985000', '1000000', '1000000', '990000'],
      ]),
      spec,
      t,
    )
    expect(drawing?.labels).toEqual(['01 Nov 2026', '03 Nov 2026'])
    expect(drawing?.unit).toBe('share')
    expect(drawing?.series[0]).toEqual({ name: 'Deposits', values: [100, 98.5] })
  })

  it('leaves an open day out of a line and marks it among bars', () => {
    const days = [
      ['2026-11-01', ...whole],
      ['2026-11-02', ...whole],
      ['2026-11-03', '0', '0', '0', '0'],
    ]
    const before = { ...report(days), closed: '2026-11-02' }
    const line = drawingOf(before, spec, t)
    expect(line?.labels).toEqual(['01 Nov 2026', '02 Nov 2026'])
    expect(line?.open).toBe(false)
    const bars = drawingOf(before, { ...spec, kind: 'bars' }, t)
    expect(bars?.labels).toHaveLength(3)
    expect(bars?.open).toBe(true)
  })

  it('is nothing where a line would be a point', () => {
    expect(drawingOf(report([['2026-11-01', ...whole]]), spec, t)).toBeUndefined()
  })

  it('is the largest columns where there are too many', () => {
    const table = {
      name: 'time',
      columns: ['day', 'a', 'b', 'c', 'd'].map((name, index) => ({
        name,
        unit: index === 0 ? ('day' as const) : ('money' as const),
      })),
      rows: [
        ['2026-11-01', '1', '2', '0', '-9'],
        ['2026-11-02', '1', '2', '0', '0'],
      ],
      total: ['', '2', '4', '0', '-9'],
    }
    const drawing = drawingOf(
      { ...report([]), kind: 'payouts', tables: [table] },
      { title: 'kinds', table: 'time', kind: 'line', columns: ['a', 'b', 'c', 'd'], most: 2 },
      t,
    )
    expect(drawing?.series.map(({ name }) => name)).toEqual(['d', 'b'])
  })
})

describe('a report', () => {
  it('is empty when no row has a figure', () => {
    expect(isEmpty(report([]))).toBe(true)
    expect(isEmpty(report([['2026-11-01', '0', '', '0.000000', '0']]))).toBe(true)
    expect(isEmpty(report([['2026-11-01', '0', '', '0.000001', '0']]))).toBe(false)
  })

  it('calls a column by its table or report before its plain name', () => {
    expect(columnName(t, 'revenue', 'time', 'net')).toBe('Net revenue')
    expect(columnName(t, 'legs', 'largest', 'ratio')).toBe('Weaker leg (people)')
    expect(columnName(t, 'retention', 'active', 'm3')).toBe('+3 mo.')
    expect(columnName(t, 'revenue', 'time', 'something new')).toBe('something new')
  })

  it('names every column and word that the charts are made of', () => {
    for (const [kind, specs] of Object.entries(CHARTS)) {
      for (const { columns } of specs) {
        for (const name of columns) expect(t.columns, `${kind} ${name}`).toHaveProperty([name])
      }
    }
    expect(labelOf(t, 'text', 'level')).toBe('Level')
    expect(labelOf(t, 'month', '2026-10-01')).toBe('Oct 2026')
  })

  it('of thirty days ends today and begins twenty-nine days before', () => {
    const noon = Date.UTC(2026, 10, 15, 12)
    expect(periodOf(30, noon)).toEqual({ from: '2026-10-17', to: '2026-11-15' })
  })
})
