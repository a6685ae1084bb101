import { Progress } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Award } from 'lucide-react'
import { Amount } from '@/components/Amount.tsx'
import { Card } from '@/components/Card.tsx'
import { formatMoney, minus, partOf, signOf } from '@/lib/money.ts'
import { incomeReportOptions } from '@/lib/queries/incomeReport.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { useSession } from '@/lib/session.ts'
import { type MemberStrings, useMemberStrings } from '@/lib/strings/member.ts'
import { term } from '@/lib/strings/serverText.ts'
import styles from './Progress.module.css'
import type { Income } from './reports.tsx'

type Texts = MemberStrings['incomes']

/** One requirement of a step: the volume there is, and the volume that it takes. */
interface Need {
  name: string
  have: string
  need: string
}

/** A ladder of the plan: how its steps are named, and what they take and pay. */
interface Ladder {
  type: 'user_rank' | 'user_reward'
  current: (t: Texts) => string
  next: (t: Texts) => string
  nameOf: (row: Income, t: Texts) => string
  needsOf: (row: Income, t: Texts) => Need[]
  paysOf: (row: Income, t: Texts) => string
}

const ranks: Ladder = {
  type: 'user_rank',
  current: (t) => t.currentRank,
  next: (t) => t.nextRank,
  nameOf: ({ rank }) => term(rank ?? ''),
  needsOf: (row, t) => [needOf(t.matchedVolume, row.match_bot, row.reqmatch_bot)],
  paysOf: ({ reward = '0' }, t) => t.pays({ amount: formatMoney(reward) }),
}

const rewards: Ladder = {
  type: 'user_reward',
  current: (t) => t.currentReward,
  next: (t) => t.nextReward,
  nameOf: ({ lvl = 0 }, t) => t.rewardLevel({ level: String(lvl) }),
  needsOf: (row, t) => [
    needOf(t.strongestLeg, row.leg1, row.reqleg1),
    needOf(t.otherLegs, row.otherleg, row.reqotherleg),
  ],
  paysOf: ({ reward = '0', salary = '0' }, t) =>
    t.paysSalary({ amount: formatMoney(reward), salary: formatMoney(salary) }),
}

const needOf = (name: string, have = '0', need = '0'): Need => ({ name, have, need })

/** The member's place on a ladder: the step that is reached, the next one, and the way to it. */
function LadderProgress({ ladder }: { ladder: Ladder }) {
  const { incomes: t } = useMemberStrings()
  const { userId } = useSession()
  const { data } = useQuery(incomeReportOptions(userId, ladder.type))
  const title = useRouteTitle()
  if (!data || data.length === 0) return null
  const reached = data.findLast(({ achieved_ss }) => achieved_ss === 'achieved')
  const next = data.find(({ achieved_ss }) => achieved_ss !== 'achieved')
  return (
    <Card className={styles.progress}>
      <section className={styles.ladder} aria-label={`${title}: ${ladder.next(t)}`}>
        <p className={styles.current}>
          <Award size={28} aria-hidden="true" />
          <span>
            <span className={styles.label}>{ladder.current(t)}</span>
            <strong>{reached ? ladder.nameOf(reached, t) : t.noneYet}</strong>
          </span>
        </p>
        {next ? (
          <div className={styles.next}>
            <p className={styles.line}>
              <span>
                <span className={styles.label}>{ladder.next(t)}</span>{' '}
                <strong>{ladder.nameOf(next, t)}</strong>
              </span>
              <span>{ladder.paysOf(next, t)}</span>
            </p>
            {ladder.needsOf(next, t).map((need) => (
              <Bar key={need.name} need={need} t={t} />
            ))}
          </div>
        ) : (
          <p>{t.allReached}</p>
        )}
      </section>
    </Card>
  )
}

function Bar({ need: { name, have, need }, t }: { need: Need; t: Texts }) {
  const rest = minus(need, have)
  const said = t.ofNeed({ have: formatMoney(have), need: formatMoney(need) })
  return (
    <div>
      <p className={styles.line}>
        <span>{name}</span>
        <strong>{signOf(rest) > 0 ? t.toGo({ amount: formatMoney(rest) }) : t.enough}</strong>
      </p>
      <Progress
        size="lg"
        value={Math.min(100, Math.max(0, 100 * partOf(have, need)))}
        aria-label={`${name}: ${said}`}
      />
      <p className={styles.of}>
        <Amount value={have} /> / <Amount value={need} />
      </p>
    </div>
  )
}

export const RankProgress = () => <LadderProgress ladder={ranks} />
export const RewardProgress = () => <LadderProgress ladder={rewards} />
