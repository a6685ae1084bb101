import { RewardProgress } from './Progress.tsx'
import { incomeScreen, monthlyColumns } from './reports.tsx'

/** A salary comes with a reward. */
export const Component = incomeScreen(
  'salaryincome',
  monthlyColumns,
  (t) => t.noSalary,
  undefined,
  RewardProgress,
)
