import { incomeScreen, monthlyColumns } from './reports.tsx'

export const Component = incomeScreen('royalty_income', monthlyColumns, (t) => t.noRoyalty)
