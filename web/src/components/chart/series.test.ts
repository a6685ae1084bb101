import { expect, it } from 'vitest'
import { cut, domainOf, gather, rangesOf } from './series.ts'

const slice = {
  labels: ['1', '2', '3', '4', '5'],
  series: [
    { name: 'a', values: [1, 2, 3, 4, 5] },
    { name: 'b', values: [0, -1, 0, -2, 0] },
  ],
}

it('offers the ranges that show less than everything', () => {
  expect(rangesOf(31)).toEqual([7, 30, 'all'])
  expect(rangesOf(5)).toEqual(['all'])
})

it('cuts from the end', () => {
  expect(cut(slice, 'all')).toEqual(slice)
  const long = { labels: Array.from({ length: 9 }, (_, i) => `${i}`), series: [] }
  expect(cut(long, 7).labels).toEqual(['2', '3', '4', '5', '6', '7', '8'])
})

it('joins neighbours until the bars fit, with the last one whole', () => {
  const { labels, series } = gather(slice, 3)
  expect(labels).toEqual(['1', '2 – 3', '4 – 5'])
  expect(series.map(({ values }) => values)).toEqual([
    [1, 5, 9],
    [0, -1, -2],
  ])
  expect(gather(slice, 5)).toBe(slice)
})

it('has room for stacks above and below zero', () => {
  expect(domainOf(slice.series, 'bars')).toEqual([-2, 5])
  expect(domainOf(slice.series, 'lines')).toEqual([-2, 5])
})
