import { TrendingDown, TrendingUp } from 'lucide-react'
import { Link } from 'react-router'
import { Amount } from '@/components/Amount.tsx'
import { buttonClass } from '@/components/button.ts'
import { Card } from '@/components/Card.tsx'
import { formatDay, formatMonth } from '@/lib/dates.ts'
import { formatMoney, minus, plus, signOf } from '@/lib/money.ts'
import type { Dashboard } from '@/lib/queries/dashboard.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { nextDay } from './days.ts'
import styles from './Overview.module.css'
import type { Overview as Data } from './queries.ts'
import { Tasks } from './Tasks.tsx'

interface Props {
  row: Dashboard
  overview: Data
}

/** The answers before the figures: money to withdraw, earnings, investments and tasks. */
export function Overview({ row, overview }: Props) {
  return (
    <div className={styles.overview}>
      <Available overview={overview} />
      <Earned overview={overview} />
      <Invested row={row} overview={overview} />
      <div className={styles.tasks}>
        <Tasks overview={overview} />
      </div>
    </div>
  )
}

function Available({ overview: { available, moves } }: { overview: Data }) {
  const { dashboard: t } = useMemberStrings()
  const pending = moves.filter(({ kind, state }) => kind === 'withdrawal' && state !== 'Rejected')
  return (
    <Card title={t.available} className={styles.lead}>
      <p className={styles.figure}>
        <Amount value={available} />
      </p>
      <p className={styles.note}>
        {pending.length > 0
          ? t.inWithdrawals({ amount: formatMoney(plus(...pending.map(({ amount }) => amount))) })
          : t.availableNone}
      </p>
      <Link to="/WithdrawalRequest" className={`${buttonClass('primary')} ${styles.act}`}>
        {t.withdraw}
      </Link>
    </Card>
  )
}

function Earned({ overview }: { overview: Data }) {
  const { dashboard: t } = useMemberStrings()
  const { day, today, earned, earnedBefore, month, monthBefore } = overview
  if (day === '') {
    return (
      <Card title={t.earned}>
        <p className={styles.note}>{t.noneYet}</p>
      </Card>
    )
  }
  const isThisMonth = day.slice(0, 7) === today.slice(0, 7)
  const before = formatMonth(previousMonth(day), 'short')
  return (
    <Card title={t.earned}>
      <Period
        name={nextDay(day) === today ? t.yesterday : formatDay(day)}
        amount={earned}
        before={earnedBefore}
        more={(amount) => t.more({ amount })}
        less={(amount) => t.less({ amount })}
        same={t.same}
      />
      <Period
        name={isThisMonth ? t.thisMonth : formatMonth(day, 'long')}
        amount={month}
        before={monthBefore}
        more={(amount) => t.moreMonth({ amount, month: before })}
        less={(amount) => t.lessMonth({ amount, month: before })}
        same={t.sameMonth({ month: before })}
      />
    </Card>
  )
}

/** The first day of the month before. */
const previousMonth = (day: string): string => {
  const date = new Date(`${day.slice(0, 7)}-01`)
  date.setUTCMonth(date.getUTCMonth() - 1)
  return date.toISOString().slice(0, 10)
}

interface PeriodProps {
  name: string
  amount: string
  before: string
  more: (amount: string) => string
  less: (amount: string) => string
  same: string
}

function Period({ name, amount, before, more, less, same }: PeriodProps) {
  const change = minus(amount, before)
  const sign = signOf(change)
  return (
    <div className={styles.period}>
      <p className={styles.name}>{name}</p>
      <p className={styles.value}>
        <Amount value={amount} />
      </p>
      <p className={styles.change} data-sign={sign}>
        {sign > 0 && <TrendingUp size={16} aria-hidden="true" />}
        {sign < 0 && <TrendingDown size={16} aria-hidden="true" />}
        {sign > 0
          ? more(formatMoney(change))
          : sign < 0
            ? less(formatMoney(minus('0', change)))
            : same}
      </p>
    </div>
  )
}

function Invested({ row, overview }: Props) {
  const { dashboard: t } = useMemberStrings()
  const total = plus(row.MyPackage, row.MyPackage_Forex, row.MyPackage_Crypto)
  const result = minus(plus(row.Roi_IncomeForex, row.Roi_IncomeCrypto), overview.loss)
  const sign = signOf(result)
  return (
    <Card title={t.investedTotal}>
      <p className={styles.value}>
        <Amount value={total} />
      </p>
      {signOf(total) === 0 && sign === 0 ? (
        <Link to="/RobotActivation">{t.investNow}</Link>
      ) : (
        <div className={styles.period}>
          <p className={styles.name}>{sign < 0 ? t.loss : t.profit}</p>
          {sign === 0 ? (
            <p className={styles.note}>{t.noResult}</p>
          ) : (
            <p className={styles.result} data-sign={sign}>
              {sign > 0 ? (
                <TrendingUp size={18} aria-hidden="true" />
              ) : (
                <TrendingDown size={18} aria-hidden="true" />
              )}
              <Amount value={result} sign="always" />
            </p>
          )}
          <p className={styles.note}>{t.resultNote}</p>
        </div>
      )}
    </Card>
  )
}
