import { heldLevelColumns, incomeScreen } from './reports.tsx'

export const Component = incomeScreen(
  'RoiToLevelIncomeCrypto',
  heldLevelColumns,
  (t) => t.noCryptoRoiLevel,
)
