import { incomeScreen } from './reports.tsx'

export const Component = incomeScreen(
  'binaryIncome',
  (c) => [c.userId, c.matched, c.matching, c.cap, c.created],
  (t) => t.noMatching,
)
