import { incomeScreen, levelColumns } from './reports.ts'

export const Component = incomeScreen('LevelIncome', levelColumns, (t) => t.noLevel)
