import type { Texts } from '../index.ts'
import { activations } from './activations.ts'
import { auth } from './auth.ts'
import { claims } from './claims.ts'
import { common } from './common.ts'
import { console } from './console.ts'
import { dashboard } from './dashboard.ts'
import { funds } from './funds.ts'
import { histories } from './histories.ts'
import { incomes } from './incomes.ts'
import { installation } from './installation.ts'
import { member } from './member.ts'
import { payouts } from './payouts.ts'
import { people } from './people.ts'
import { queues } from './queues.ts'
import { reports } from './reports.ts'
import { rules } from './rules.ts'
import { screens } from './screens.ts'
import { settings } from './settings.ts'
import { site } from './site.ts'
import { support } from './support.ts'
import { team } from './team.ts'
import { tickets } from './tickets.ts'
import { transparency } from './transparency.ts'
import { tree } from './tree.ts'
import { withdrawal } from './withdrawal.ts'
import { work } from './work.ts'

/** Every text people read, in Hindi: the same files as in English. */
export const hi: Texts = {
  ...site,
  ...screens,
  ...member,
  ...common,
  ...console,
  ...people,
  ...queues,
  ...tickets,
  ...payouts,
  ...reports,
  ...rules,
  ...auth,
  ...dashboard,
  ...team,
  ...tree,
  ...incomes,
  ...histories,
  ...claims,
  ...activations,
  ...funds,
  ...withdrawal,
  ...settings,
  ...support,
  ...transparency,
  ...work,
  ...installation,
}

export { brandTexts } from './brand.ts'
