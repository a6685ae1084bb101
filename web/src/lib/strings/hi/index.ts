import type { Strings } from '../index.ts'
import { auth } from './auth.ts'
import { common } from './common.ts'
import { console } from './console.ts'
import { dashboard } from './dashboard.ts'
import { member } from './member.ts'
import { queues } from './queues.ts'
import { rules } from './rules.ts'
import { screens } from './screens.ts'
import { site } from './site.ts'
import { team } from './team.ts'
import { work } from './work.ts'

/** Every text people read, in Hindi: the same files as in English. */
export const hi: Strings = {
  ...site,
  ...screens,
  ...member,
  ...common,
  ...console,
  ...queues,
  ...rules,
  ...auth,
  ...dashboard,
  ...team,
  ...work,
}
