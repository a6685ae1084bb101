import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Amount } from '@/components/Amount.tsx'
import { Card } from '@/components/Card.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Facts } from '@/components/Facts.tsx'
import { StatusBadge } from '@/components/StatusBadge.tsx'
import type { components } from '@/lib/api/schema.d.ts'
import { formatMoment, zone } from '@/lib/dates.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import { serverText } from '@/lib/strings/serverText.ts'
import styles from './Claimants.module.css'
import { claimantsOptions } from './queries.ts'

type Row = components['schemas']['ClaimantRow']

/** All requests with the same transaction number side by side, each with the chain's verdict. */
export function Claimants({ number }: { number: string }) {
  const strings = useConsoleStrings()
  const { requests: t, table } = strings
  const { data, error, refetch } = useQuery(claimantsOptions(number))
  return (
    <Card title={t.claimants}>
      <p className={styles.lead}>{t.claimantsText}</p>
      {error ? (
        <ErrorNotice error={error} text={table.failed} onRetry={() => void refetch()} />
      ) : data ? (
        <ul className={styles.claimants}>
          {data.rows.map((row) => (
            <li key={row.id} className={styles.claimant}>
              <Facts facts={factsOf(row, strings)} />
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton height={160} />
      )}
    </Card>
  )
}

const factsOf = (r: Row, { requests: t }: ConsoleStrings) =>
  [
    [t.request, t.number({ id: r.id })],
    [
      t.userId,
      <Link key="member" to={`/admin/member?uid=${r.uid}`}>
        {r.uid}
      </Link>,
    ],
    [t.amount, <Amount key="amount" value={r.amount} />],
    [
      t.state,
      <StatusBadge
        key="state"
        word={t.states[r.st]}
        good={r.st === 'Pending' ? undefined : r.st === 'Approved'}
      />,
    ],
    [t.proven, r.proven ? t.provenYes : t.provenNo],
    [t.verdict, serverText(r.verdict, r.verdictText) || t.noVerdict],
    [t.requested, formatMoment(r.requestedDate, zone())],
    ...(r.remark ? ([[t.remark, serverText(r.remark, r.remarkText)]] as const) : []),
  ] as const
