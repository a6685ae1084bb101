import { dateFilters, positionFilter, statusFilter } from '@/components/table/filters.ts'
import { reportScreen } from '@/components/table/ReportScreen.tsx'
import { listOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { type Person, people } from './people.ts'

/** All members below, in both legs. */
export const Component = reportScreen<Person>({
  name: 'DownlineReport',
  file: { report: 'DownlineReport' },
  call: (body) => listOf(api.POST('/api/DownlineReport', { body })),
  rowKey: ({ uid }) => uid,
  dense: true,
  empty: (s) => s.team.noTeam,
  note: (s) => s.team.levelOfTeam,
  filters: (s) => [positionFilter(s), statusFilter(s), ...dateFilters(s)],
  columns: (s) => {
    const p = people(s)
    return [
      p.userId,
      p.userName,
      p.status,
      p.level,
      p.registered,
      p.activated,
      p.robot,
      p.forex,
      p.crypto,
      p.position,
      p.sponsor(s.team.sponsorTeam),
    ]
  },
})
