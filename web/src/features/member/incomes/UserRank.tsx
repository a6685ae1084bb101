import { RankProgress } from './Progress.tsx'
import { incomeScreen } from './reports.tsx'

export const Component = incomeScreen(
  'user_rank',
  (c) => [
    c.userId,
    c.step,
    c.rank,
    c.needMatched,
    c.matchedEver,
    c.rankReward,
    c.date,
    c.achieved,
    c.achievedDate,
  ],
  (t) => t.noRank,
  (t) => t.whenReached,
  RankProgress,
)
