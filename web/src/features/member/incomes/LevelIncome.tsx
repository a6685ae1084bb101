import { incomeScreen, levelColumns } from './reports.tsx'

export const Component = incomeScreen('LevelIncome', levelColumns, (t) => t.noLevel)
