import { dateColumn, moneyColumn, textColumn } from '@/components/table/columns.tsx'
import { reportScreen } from '@/components/table/ReportScreen.tsx'
import { listOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { fundName } from '@/lib/funds.ts'
import { term } from '@/lib/strings/serverText.ts'

type Row = components['schemas']['FundMoveRow']

const RECEIVED = 4
/** A credit without a sender has no user id. */
const NOBODY = '0'

/** The credits of the member's funds. */
export const Component = reportScreen<Row>({
  name: `FundTransferToUserHistory ${RECEIVED}`,
  file: { report: 'FundTransferToUserHistory', type: String(RECEIVED) },
  call: (query) =>
    listOf(api.POST('/api/FundTransferToUserHistory', { body: { ...query, action: RECEIVED } })),
  rowKey: ({ row }) => row,
  empty: (s) => s.histories.noReceived,
  columns: (s) => [
    textColumn(s.histories.receivedBy, (x) =>
      x.uid === NOBODY ? term(x.Name) : `${x.Name} (${x.uid})`,
    ),
    moneyColumn(s.histories.receivedAmount, (x) => x.Amount, { sort: 'Amount' }),
    moneyColumn(s.histories.deducted, (x) => x.Deduct),
    dateColumn(s.histories.receivedDate, (x) => x.receivdDate, { sort: 'receivdDate' }),
    textColumn(s.histories.fundType, (x) => fundName(x.FundType, s)),
  ],
})
