import { dateFilters, levelFilter, statusFilter } from '@/components/table/filters.ts'
import { reportScreen } from '@/components/table/ReportScreen.tsx'
import { listOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { type Person, people } from './people.ts'

/** The downline along sponsors, by level. */
export const Component = reportScreen<Person>({
  name: 'LevelDetails',
  file: { report: 'LevelDetails' },
  call: (body) => listOf(api.POST('/api/LevelDetails', { body })),
  rowKey: ({ uid }) => uid,
  dense: true,
  empty: (s) => s.team.noLevels,
  note: (s) => s.team.levelOfSponsors,
  filters: (s) => [levelFilter(s), statusFilter(s), ...dateFilters(s)],
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
      p.sponsor(s.team.sponsorLevel),
    ]
  },
})
