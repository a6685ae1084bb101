import { heldLevelColumns, incomeScreen } from './reports.ts'

export const Component = incomeScreen(
  'RoiToLevelIncomeCrypto',
  heldLevelColumns,
  (t) => t.noCryptoRoiLevel,
)
