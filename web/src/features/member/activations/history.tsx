import { Amount } from '@/components/Amount.tsx'
import { dateColumn, textColumn } from '@/components/table/columns.tsx'
import { dateFilters } from '@/components/table/filters.ts'
import { reportScreen } from '@/components/table/ReportScreen.tsx'
import { listOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { formatDay } from '@/lib/dates.ts'
import { fundName } from '@/lib/funds.ts'
import type { MemberStrings } from '@/lib/strings/member.ts'
import { term } from '@/lib/strings/serverText.ts'
import styles from './history.module.css'

type Row = components['schemas']['HistoryRow']

/** The server's names of the histories. */
type Type = '1' | '5' | '8' | '9' | '10' | '11'

/** The server sorts the downline's histories by day only (docs/adr/0010). */
const isDownline = (type: Type) => ['5', '9', '11'].includes(type)

const isUndone = ({ state }: Row) => state === 'refunded' || state === 'reversed'

/** The kind of a purchase and its state: "Activation, refunded 18 Nov 2026". */
export function remarkOf(row: Row, t: MemberStrings['histories']): string {
  const kind = term(row.remark)
  const { return_until: until, refunded, ends } = row
  switch (row.state) {
    case 'cooling':
      return until ? t.coolingUntil({ kind, day: formatDay(until) }) : t.cooling({ kind })
    case 'final':
      return t.final({ kind })
    case 'refunded':
      return refunded ? t.refundedOn({ kind, day: formatDay(refunded) }) : t.refunded({ kind })
    case 'reversed':
      return t.reversed({ kind })
    case 'open':
      return ends ? t.endsOn({ kind, day: formatDay(ends) }) : kind
    case 'matured':
      return ends ? t.endedOn({ kind, day: formatDay(ends) }) : kind
    case 'claimed':
      return t.claimed({ kind })
  }
  return kind
}

/** The amount with the package below it; the amount of a refunded purchase is struck out. */
function PackageAmount({ row }: { row: Row }) {
  return (
    <span className={styles.amount}>
      {isUndone(row) ? (
        <s className={styles.undone}>
          <Amount value={row.Amount} />
        </s>
      ) : (
        <Amount value={row.Amount} />
      )}
      <span className={styles.package}>({term(row.pp)})</span>
    </span>
  )
}

/** A list of purchases, the member's or the downline's, by the server's code. */
export function activationHistory(
  type: Type,
  empty: (strings: MemberStrings['histories']) => string,
) {
  return reportScreen<Row>({
    name: `ActivationHistory ${type}`,
    file: { report: 'ActivationHistory', type },
    call: (query) => listOf(api.POST('/api/ActivationHistory', { body: { ...query, type } })),
    rowKey: ({ id }) => id,
    empty: (s) => empty(s.histories),
    filters: dateFilters,
    serial: (s) => s.histories.serial,
    columns: (s) => [
      textColumn(s.histories.userId, (x) => `${x.f_name} (${x.uid})`),
      textColumn(s.histories.referBy, (x) => x.referby, { slot: 'more' }),
      {
        header: s.histories.packageAmount,
        kind: 'money',
        align: 'end',
        cell: (x) => <PackageAmount row={x} />,
        ...(!isDownline(type) && { sort: 'Amount' }),
      },
      {
        header: s.histories.remark,
        slot: 'line',
        cell: (x) => (
          <span className={isUndone(x) ? styles.undone : undefined}>
            {remarkOf(x, s.histories)}
          </span>
        ),
      },
      textColumn(s.histories.type, (x) => fundName(x.type, s)),
      dateColumn(s.histories.date, (x) => x.dd, { sort: 'dd' }),
    ],
  })
}
