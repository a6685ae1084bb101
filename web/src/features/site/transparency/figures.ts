import type { components } from '@/lib/api/schema.d.ts'
import { named } from '@/lib/strings/named.ts'

type Schemas = components['schemas']

export type Report = Schemas['Report']
export type Part = Schemas['Part']
export type Line = Schemas['Line']

/** The name of a server code; the code itself if it has none. */
export const nameIn = (names: Readonly<Record<string, string>>, code: string): string =>
  named(names, code)

export interface DaySeries {
  line: string
  days: string[]
  nets: string[]
}

/** The days of each line with bookings, oldest first. */
export function seriesOf(report: Report): DaySeries[] {
  return report.lines.flatMap(({ line }) => {
    const booked = report.results.filter((result) => result.line === line).reverse()
    if (booked.length < 2) return []
    return [{ line, days: booked.map(({ day }) => day), nets: booked.map(({ net }) => net) }]
  })
}
