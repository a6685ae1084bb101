import { dateColumn, termColumn, textColumn } from '@/components/table/columns.tsx'
import { dateFilters } from '@/components/table/filters.ts'
import { reportScreen } from '@/components/table/ReportScreen.tsx'
import { listOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { fundName } from '@/lib/funds.ts'
import { formatMoney } from '@/lib/money.ts'
import type { MemberStrings } from '@/lib/strings/member.ts'
import { term } from '@/lib/strings/serverText.ts'

type Row = components['schemas']['HistoryRow']

/** The server's names of the histories. */
type Type = '1' | '5' | '8' | '9' | '10' | '11'

/** The server sorts the downline's histories by day only (docs/adr/0010). */
const isDownline = (type: Type) => ['5', '9', '11'].includes(type)

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
      textColumn(s.histories.referBy, (x) => x.referby),
      {
        ...textColumn(s.histories.packageAmount, (x) => `${formatMoney(x.Amount)} (${term(x.pp)})`),
        align: 'end',
        ...(!isDownline(type) && { sort: 'Amount' }),
      },
      termColumn(s.histories.remark, (x) => x.remark),
      textColumn(s.histories.type, (x) => fundName(x.type, s)),
      dateColumn(s.histories.date, (x) => x.dd, { sort: 'dd' }),
    ],
  })
}
