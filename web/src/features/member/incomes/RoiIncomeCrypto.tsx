import { heldRoiColumns, incomeScreen } from './reports.ts'

export const Component = incomeScreen(
  'RoiIncomeCrypto',
  heldRoiColumns,
  (t) => t.noCryptoRoi,
  (t) => t.roiTotal,
)
