import { RewardProgress } from './Progress.tsx'
import { incomeScreen } from './reports.tsx'

export const Component = incomeScreen(
  'user_reward',
  (c) => [
    c.userId,
    c.step,
    c.needLeg1,
    c.leg1,
    c.needOther,
    c.other,
    c.reward,
    c.salary,
    c.date,
    c.achieved,
    c.achievedDate,
  ],
  (t) => t.noReward,
  (t) => t.whenReachedReward,
  RewardProgress,
)
