import { Check, Clock } from 'lucide-react'
import { Link } from 'react-router'
import { buttonClass } from '@/components/button.ts'
import { Card } from '@/components/Card.tsx'
import { plus, signOf } from '@/lib/money.ts'
import type { MemberPath } from '@/lib/paths.ts'
import { useAccount } from '@/lib/queries/account.ts'
import type { Dashboard } from '@/lib/queries/dashboard.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './GetStarted.module.css'
import type { Overview } from './queries.ts'
import { type Account, isActive } from './toDo.ts'

/** The id of the referral links. */
export const LINKS = 'links'

const STEPS = [
  ['email', 'stepEmail', '/Security'],
  ['pin', 'stepPin', '/TransactionPassword'],
  ['factor', 'stepFactor', '/Security'],
  ['funds', 'stepFunds', '/FundRequestECurrency'],
  ['activate', 'stepActivate', '/RobotActivation'],
  ['share', 'stepShare', '/dashboard#links'],
] as const satisfies readonly (readonly [
  string,
  string,
  MemberPath | `/dashboard#${typeof LINKS}`,
])[]

type Step = (typeof STEPS)[number][0]
type State = 'done' | 'waiting' | 'open'

/** The state of each first step. */
export function stepsOf(row: Dashboard, overview: Overview, account: Account): Record<Step, State> {
  const state = (done: boolean): State => (done ? 'done' : 'open')
  const funds = plus(row.Net_AdminFund, row.Net_AdminFund_Forex, row.Net_AdminFund_Crypto)
  const active = isActive(row)
  const requested = overview.moves.some(({ kind }) => kind === 'request')
  return {
    email: state(account.confirmed !== ''),
    pin: state(account.transactionPasswordEnds === ''),
    factor: state(overview.hasFactor),
    funds: active || signOf(funds) > 0 ? 'done' : requested ? 'waiting' : 'open',
    activate: state(active),
    share: state(row.TotalLeftReferral + row.TotalRightReferral > 0),
  }
}

const NEW_MS = 30 * 24 * 60 * 60 * 1000

interface Props {
  row: Dashboard
  overview: Overview
}

/** The first steps of a new member, until all are done; later the list of tasks has the rest. */
export function GetStarted({ row, overview }: Props) {
  const { dashboard: t } = useMemberStrings()
  const { data: account } = useAccount('/dashboard')
  const isNew = !isActive(row) || Date.now() - Date.parse(overview.joined) < NEW_MS
  if (!account || !isNew) return null
  const states = stepsOf(row, overview, account)
  const done = STEPS.filter(([step]) => states[step] === 'done').length
  if (done === STEPS.length) return null
  const next = STEPS.find(([step]) => states[step] === 'open')?.[0]
  return (
    <Card
      title={t.startTitle}
      actions={<p className={styles.count}>{t.startDone({ done, all: STEPS.length })}</p>}
    >
      <p className={styles.lead}>{t.startLead}</p>
      <div className={styles.bar} aria-hidden="true">
        <div style={{ inlineSize: `${(100 * done) / STEPS.length}%` }} />
      </div>
      <ol className={styles.steps}>
        {STEPS.map(([step, text, to], index) => (
          <li key={step} className={styles.step} data-state={states[step]}>
            <span className={styles.mark} aria-hidden="true">
              {states[step] === 'done' ? (
                <Check size={16} />
              ) : states[step] === 'waiting' ? (
                <Clock size={16} />
              ) : (
                index + 1
              )}
            </span>
            <div className={styles.words}>
              <h3>{t[text]}</h3>
              {states[step] !== 'done' && <p>{t[`${text}Text`]}</p>}
            </div>
            {states[step] === 'open' ? (
              <Link to={to} className={buttonClass(step === next ? 'primary' : 'quiet')}>
                {t[`${text}Act`]}
              </Link>
            ) : (
              <p className={styles.state}>{states[step] === 'done' ? t.stepDone : t.stepWaiting}</p>
            )}
          </li>
        ))}
      </ol>
    </Card>
  )
}
