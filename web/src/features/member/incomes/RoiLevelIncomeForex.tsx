import { heldLevelColumns, incomeScreen } from './reports.ts'

export const Component = incomeScreen(
  'RoiToLevelIncomeForex',
  heldLevelColumns,
  (t) => t.noForexRoiLevel,
)
