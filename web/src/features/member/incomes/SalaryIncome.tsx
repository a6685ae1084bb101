import { incomeScreen, monthlyColumns } from './reports.ts'

export const Component = incomeScreen('salaryincome', monthlyColumns, (t) => t.noSalary)
