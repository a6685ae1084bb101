import { activations } from './activations.ts'
import { claims } from './claims.ts'
import { dashboard } from './dashboard.ts'
import { deposit } from './deposit.ts'
import { funds } from './funds.ts'
import { histories } from './histories.ts'
import { incomes } from './incomes.ts'
import { notices } from './notices.ts'
import { security } from './security.ts'
import { settings } from './settings.ts'
import { support } from './support.ts'
import { team } from './team.ts'
import { tree } from './tree.ts'
import { withdrawal } from './withdrawal.ts'

/** The texts of the member screens, which come with them. */
export const memberTexts = {
  ...dashboard,
  ...team,
  ...tree,
  ...incomes,
  ...histories,
  ...claims,
  ...activations,
  ...funds,
  ...deposit,
  ...withdrawal,
  ...notices,
  ...settings,
  ...security,
  ...support,
}
