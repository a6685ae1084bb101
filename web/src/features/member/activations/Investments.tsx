import { Anchor, Button, Progress, Skeleton } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { Amount } from '@/components/Amount.tsx'
import { Card } from '@/components/Card.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { StatusBadge } from '@/components/StatusBadge.tsx'
import type { components } from '@/lib/api/schema.d.ts'
import { formatDay } from '@/lib/dates.ts'
import { formatMoney, signOf } from '@/lib/money.ts'
import { useSession } from '@/lib/session.ts'
import { type MemberStrings, useMemberStrings } from '@/lib/strings/member.ts'
import { term } from '@/lib/strings/serverText.ts'
import styles from './Activation.module.css'
import type { Line } from './lines.ts'
import { investmentsOptions } from './queries.ts'

type Investment = components['schemas']['InvestmentRow']
type Texts = MemberStrings['investments']

const CLAIMS = { forex: '/WithdrawalClaim', crypto: '/WithdrawalClaimCrypto' } as const
const FEW = 5
const MANY = 500

/** The member's investments on a line: term, countdown and result so far. */
export function Investments({ name }: { name: NonNullable<Line['name']> }) {
  const { investments: t, activations, table } = useMemberStrings()
  const { userId } = useSession()
  const [size, setSize] = useState(FEW)
  const options = investmentsOptions(userId, name === 'forex' ? 'FOREX' : 'CRYPTO', size)
  const { data, error, refetch } = useQuery({ ...options, placeholderData: keepPreviousData })
  return (
    <Card title={t.title}>
      {error ? (
        <ErrorNotice error={error} text={table.failed} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={120} />
      ) : data.rows.length === 0 ? (
        <p className={styles.note}>{t.none({ line: activations[name] })}</p>
      ) : (
        <>
          <ul className={styles.investments}>
            {data.rows.map((row) => (
              <One key={row.id} row={row} claims={CLAIMS[name]} />
            ))}
          </ul>
          {data.total > data.rows.length && (
            <Button variant="default" size="xs" mt="md" onClick={() => setSize(MANY)}>
              {t.more({ total: String(data.total) })}
            </Button>
          )}
        </>
      )}
    </Card>
  )
}

function One({ row, claims }: { row: Investment; claims: string }) {
  const { investments: t } = useMemberStrings()
  const { Amount: principal, days_gone: gone, term: days, state } = row
  const has = state === 'open'
  const progress = t.progress({ gone: String(gone), term: String(days) })
  return (
    <li className={styles.investment}>
      <p className={styles.investmentHead}>
        <span>
          {formatMoney(principal)} · {term(row.pp)}
        </span>
        <State row={row} t={t} />
      </p>
      <Progress value={days === 0 ? 100 : (100 * gone) / days} aria-label={progress} />
      <p className={styles.investmentLine}>
        <span>{t.started({ day: formatDay(row.dd) })}</span>
        <span>
          {has ? t.ends({ day: formatDay(row.ends) }) : t.ended({ day: formatDay(row.ends) })}
          {has && ` · ${leftOf(days - gone, t)}`}
        </span>
      </p>
      <dl className={styles.figures}>
        <Figure name={has ? t.result : t.finalResult} value={row.result} sign="always" />
        <Figure name={t.paidOut} value={row.released} />
        {signOf(row.loss) > 0 && has && <Figure name={t.loss} value={row.loss} />}
        {row.netamount !== undefined && <Figure name={t.claimAmount} value={row.netamount} />}
      </dl>
      {state === 'matured' && (
        <Anchor component={Link} to={claims}>
          {t.toClaim}
        </Anchor>
      )}
    </li>
  )
}

function Figure({ name, value, sign }: { name: string; value: string; sign?: 'always' }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Amount value={value} {...(sign && { sign })} />
      </dd>
    </div>
  )
}

function State({ row, t }: { row: Investment; t: Texts }) {
  if (row.state === 'open') return <StatusBadge word={t.open} good={undefined} />
  if (row.state === 'claimed') return <StatusBadge word={t.claimed} good />
  return row.ready ? (
    <StatusBadge word={t.ready} good />
  ) : (
    <StatusBadge word={t.waiting} good={undefined} />
  )
}

const leftOf = (days: number, t: Texts): string =>
  days <= 0 ? t.endsToday : days === 1 ? t.leftOne : t.left({ days: String(days) })
