import { heldRoiColumns, incomeScreen } from './reports.ts'

export const Component = incomeScreen(
  'RoiIncomeForex',
  heldRoiColumns,
  (t) => t.noForexRoi,
  (t) => t.roiTotal,
)
