import { incomeScreen, levelColumns } from './reports.ts'

export const Component = incomeScreen('RoiToLevelIncome', levelColumns, (t) => t.noRobotRoi)
