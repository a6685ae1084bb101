import { heldRoiColumns, incomeScreen } from './reports.tsx'

export const Component = incomeScreen(
  'RoiIncomeForex',
  heldRoiColumns,
  (t) => t.noForexRoi,
  (t) => t.roiTotal,
)
