import { RankProgress } from './Progress.tsx'
import { incomeScreen, monthlyColumns } from './reports.tsx'

/** The rank determines the shares in the pool. */
export const Component = incomeScreen(
  'royalty_income',
  monthlyColumns,
  (t) => t.noRoyalty,
  undefined,
  RankProgress,
)
