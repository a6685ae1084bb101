import { incomeScreen } from './reports.tsx'

export const Component = incomeScreen(
  'RoiIncome',
  (c) => [c.userId, c.onAmount, c.onRate, c.roi, c.created],
  (t) => t.noRobotRoi,
)
