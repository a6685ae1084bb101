import { incomeScreen, monthlyColumns } from './reports.tsx'

export const Component = incomeScreen('salaryincome', monthlyColumns, (t) => t.noSalary)
