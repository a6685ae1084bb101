import { moneyColumn, textColumn } from '@/components/table/columns.tsx'
import { reportScreen } from '@/components/table/ReportScreen.tsx'
import { listOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import type { components } from '@/lib/api/schema.d.ts'

type Leg = components['schemas']['LegRow']

/** The business of each sponsored member with the downline. */
export const Component = reportScreen<Leg>({
  name: 'DirectLegBusiness',
  file: { report: 'DirectLegBusiness' },
  call: (body) => listOf(api.POST('/api/DirectLegBusiness', { body })),
  rowKey: ({ uid }) => uid,
  empty: (s) => s.team.noLegs,
  columns: ({ team: t }) => [
    textColumn(t.userId, (leg) => leg.uid),
    moneyColumn(t.forexSelf, (leg) => leg.SelfBusinessForex),
    moneyColumn(t.forexTeam, (leg) => leg.TeamBusinessForex),
    moneyColumn(t.cryptoSelf, (leg) => leg.SelfBusinessCrypto),
    moneyColumn(t.cryptoTeam, (leg) => leg.TeamBusinessCrypto),
  ],
})
