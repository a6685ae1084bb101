import type { Texts } from '../index.ts'
import { auth } from './auth.ts'
import { common } from './common.ts'
import { dashboard } from './dashboard.ts'
import { member } from './member.ts'
import { rules } from './rules.ts'
import { screens } from './screens.ts'
import { site } from './site.ts'
import { team } from './team.ts'
import { transparency } from './transparency.ts'

/** Every text people read, in Hindi: the same files as in English. */
export const hi: Texts = {
  ...site,
  ...screens,
  ...member,
  ...common,
  ...rules,
  ...auth,
  ...dashboard,
  ...team,
  ...transparency,
}

export { brandTexts } from './brand.ts'
