import { dateColumn, moneyColumn, statusColumn, textColumn } from '@/components/table/columns.tsx'
import { dateFilters, positionFilter, statusFilter } from '@/components/table/filters.ts'
import { reportScreen } from '@/components/table/ReportScreen.tsx'
import { listOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import type { components } from '@/lib/api/schema.d.ts'

type Person = components['schemas']['Person']

/** Whom the member sponsored. */
export const Component = reportScreen<Person>({
  name: 'DirectReport',
  call: (body) => listOf(api.POST('/api/DirectReport', { body })),
  rowKey: ({ uid }) => uid,
  empty: (s) => s.team.noReferrals,
  filters: (s) => [positionFilter(s), statusFilter(s), ...dateFilters(s)],
  columns: ({ team: t }) => [
    textColumn(t.userId, (p) => p.uid, { sort: 'uid' }),
    textColumn(t.userName, (p) => p.f_name),
    textColumn(t.contact, (p) => p.mobile),
    statusColumn(
      t.status,
      (p) => p.status,
      (p) => p.status === 'Active',
    ),
    dateColumn(t.registered, (p) => p.registrationDate, { sort: 'registrationDate' }),
    dateColumn(t.activated, (p) => p.activationDate),
    moneyColumn(t.robot, (p) => p.RobotInvet, { sort: 'RobotInvet' }),
    moneyColumn(t.forex, (p) => p.forexInvest, { sort: 'forexInvest' }),
    moneyColumn(t.crypto, (p) => p.CryptoInvest, { sort: 'CryptoInvest' }),
    textColumn(t.position, (p) => p.position),
  ],
})
