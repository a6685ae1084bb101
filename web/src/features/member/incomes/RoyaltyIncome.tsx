import { incomeScreen, monthlyColumns } from './reports.ts'

export const Component = incomeScreen('royalty_income', monthlyColumns, (t) => t.noRoyalty)
