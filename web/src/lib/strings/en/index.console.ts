import { books } from './books.ts'
import { claimQueue } from './claimQueue.ts'
import { console } from './console.ts'
import { corrections } from './corrections.ts'
import { installation } from './installation.ts'
import { payouts } from './payouts.ts'
import { people } from './people.ts'
import { queues } from './queues.ts'
import { reports } from './reports.ts'
import { tickets } from './tickets.ts'
import { unmatched } from './unmatched.ts'
import { work } from './work.ts'

/** The texts of the operators' console, which come with it. */
export const consoleTexts = {
  ...console,
  ...people,
  ...queues,
  ...unmatched,
  ...claimQueue,
  ...tickets,
  ...payouts,
  ...reports,
  ...work,
  ...installation,
  ...books,
  ...corrections,
}
