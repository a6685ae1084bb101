import { heldRoiColumns, incomeScreen } from './reports.tsx'

export const Component = incomeScreen(
  'RoiIncomeCrypto',
  heldRoiColumns,
  (t) => t.noCryptoRoi,
  (t) => t.roiTotal,
)
