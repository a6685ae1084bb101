import { textColumn } from '@/components/table/columns.tsx'
import { dateFilters, positionFilter, statusFilter } from '@/components/table/filters.ts'
import { reportScreen } from '@/components/table/ReportScreen.tsx'
import { listOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { type Person, people } from './people.ts'

/** The members that this member sponsored. */
export const Component = reportScreen<Person>({
  name: 'DirectReport',
  file: { report: 'DirectReport' },
  call: (body) => listOf(api.POST('/api/DirectReport', { body })),
  rowKey: ({ uid }) => uid,
  dense: true,
  empty: (s) => s.team.noReferrals,
  filters: (s) => [positionFilter(s), statusFilter(s), ...dateFilters(s)],
  columns: (s) => {
    const p = people(s)
    return [
      p.userId,
      p.userName,
      textColumn(s.team.contact, (person) => person.mobile),
      p.status,
      p.registered,
      p.activated,
      p.robot,
      p.forex,
      p.crypto,
      p.position,
    ]
  },
})
