import { auth } from './auth.ts'
import { common } from './common.ts'
import { member } from './member.ts'
import { rules } from './rules.ts'
import { screens } from './screens.ts'
import { site } from './site.ts'
import { transparency } from './transparency.ts'

/** What everybody may read, in English. Member screens and the console have their own beside it. */
export const en = {
  ...site,
  ...screens,
  ...member,
  ...common,
  ...rules,
  ...auth,
  ...transparency,
}
