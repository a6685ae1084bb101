import type { Texts } from '../index.ts'
import { auth } from './auth.ts'
import { common } from './common.ts'
import { member } from './member.ts'
import { rules } from './rules.ts'
import { screens } from './screens.ts'
import { site } from './site.ts'
import { transparency } from './transparency.ts'

/** What everybody may read, in Hindi: the same files as in English. */
export const hi: Texts = {
  ...site,
  ...screens,
  ...member,
  ...common,
  ...rules,
  ...auth,
  ...transparency,
}

export { brandTexts } from './brand.ts'
export { terms } from './terms.ts'
