import { dateColumn, moneyColumn, statusColumn, textColumn } from '@/components/table/columns.tsx'
import { dateFilters } from '@/components/table/filters.ts'
import { reportScreen } from '@/components/table/ReportScreen.tsx'
import { listOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { formatMoney } from '@/lib/money.ts'
import { named } from '@/lib/strings/named.ts'

import { DetailsButton, DetailsDrawer } from './Details.tsx'

type Row = components['schemas']['ReportRow']

const TYPE = 'WithdrawlHistory'
/** Approved, sent and confirmed are green; pending, rejected and cancelled are red. */
const GOOD = ['Approved', 'Sent', 'Confirmed']

export const Component = reportScreen<Row>({
  name: `GetIncomeReport ${TYPE}`,
  file: { report: 'GetIncomeReport', type: TYPE },
  call: (query) => listOf(api.POST('/api/GetIncomeReport', { body: { ...query, type: TYPE } })),
  rowKey: ({ sno }) => sno,
  empty: (s) => s.histories.noWithdrawals,
  filters: dateFilters,
  // The total of the heading counts every request, also those that paid nothing.
  below: ({ paid }, { withdrawal: t }) => paid && t.paidOut({ sum: formatMoney(paid) }),
  drawer: {
    header: (s) => s.withdrawal.details,
    numberOf: ({ id }) => Number(id),
    Button: DetailsButton,
    Drawer: DetailsDrawer,
  },
  columns: ({ histories: t, withdrawal: { wallets } }) => [
    textColumn(t.withdrawalId, (x) => x.uid),
    moneyColumn(t.amount, (x) => x.Request_amount, { sort: 'Request_amount' }),
    moneyColumn(t.charge, (x) => x.admincharge),
    moneyColumn(t.withdrawalAmount, (x) => x.amount),
    textColumn(t.withdrawlType, (x) => x.withdrawlType),
    textColumn(t.fundType, (x) => named(wallets, x.Wtype ?? '')),
    statusColumn(
      t.status,
      (x) => x.ss,
      (x) => GOOD.includes(x.ss ?? ''),
    ),
    dateColumn(t.requestDate, (x) => x.rd, { sort: 'dd' }),
    dateColumn(t.responseDate, (x) => x.pd),
  ],
})
