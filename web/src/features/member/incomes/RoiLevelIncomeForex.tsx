import { heldLevelColumns, incomeScreen } from './reports.tsx'

export const Component = incomeScreen(
  'RoiToLevelIncomeForex',
  heldLevelColumns,
  (t) => t.noForexRoiLevel,
)
