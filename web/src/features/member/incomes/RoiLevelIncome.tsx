import { incomeScreen, levelColumns } from './reports.tsx'

export const Component = incomeScreen('RoiToLevelIncome', levelColumns, (t) => t.noRobotRoi)
