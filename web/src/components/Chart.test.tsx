import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Chart } from './Chart.tsx'

/** The x of the left edge of a text. */
const startOf = (text: string) => Number(screen.getByText(text).getAttribute('x'))

it.each([
  [[0, 940], '$940'],
  [[0, 940.5], '$940.50'],
  [[0, 13_114.18], '$13,114.18'],
  [[-1_213_114.18, 5], '−$1,213,114.18'],
])('leaves room for the longest amount of %s', (values, longest) => {
  const labels = values.map(String)
  const series = [{ name: 'Net', values }]
  render(<Chart title="Net" note="" kind="bars" unit="$" labels={labels} series={series} />)
  // The picture is 320 wide, and a digit is six.
  expect(startOf(longest) + longest.length * 6).toBeLessThanOrEqual(320)
  expect(startOf(longest)).toBeGreaterThan(160)
})
