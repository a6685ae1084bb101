import { dateColumn, moneyColumn, statusColumn, textColumn } from '@/components/table/columns.tsx'
import { markedDateFilters } from '@/components/table/filters.ts'
import { reportScreen } from '@/components/table/ReportScreen.tsx'
import { listOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { fundName } from '@/lib/funds.ts'
import { type Claim, ClaimCell } from './ClaimCell.tsx'

/** The matured investments of a line, and the button that claims them. */
export const claimScreen = (type: 'FOREXWithdrawalCliam' | 'CRYPTOWithdrawalCliam') =>
  reportScreen<Claim>({
    name: `GetIncomeReport ${type}`,
    file: { report: 'GetIncomeReport', type },
    call: (query) => listOf(api.POST('/api/GetIncomeReport', { body: { ...query, type } })),
    rowKey: ({ id, sno }) => id ?? sno,
    empty: (s) => s.claims.none,
    filters: markedDateFilters,
    columns: (s) => [
      textColumn(s.claims.userId, (x) => x.uid),
      moneyColumn(s.claims.amount, (x) => x.amount),
      textColumn(s.claims.walletType, (x) => fundName(x.accounttype, s)),
      moneyColumn(s.claims.income, (x) => x.income),
      moneyColumn(s.claims.net, (x) => x.netamount, { sort: 'netamount' }),
      dateColumn(s.claims.created, (x) => x.dd, { sort: 'dd' }),
      { header: s.claims.claim, slot: 'action', cell: (x) => <ClaimCell claim={x} /> },
      statusColumn(
        s.claims.status,
        (x) => x.ss,
        (x) => x.ss !== 'Pending',
      ),
      dateColumn(s.claims.claimDate, (x) => x.claim_dd),
    ],
  })
