import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Amount } from '@/components/Amount.tsx'
import { Card } from '@/components/Card.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Facts } from '@/components/Facts.tsx'
import { StatusBadge } from '@/components/StatusBadge.tsx'
import type { components } from '@/lib/api/schema.d.ts'
import { accountName } from '@/lib/operator/names.ts'
import { memberOptions } from '@/lib/operator/queries/member.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import styles from './Queue.module.css'

type View = components['schemas']['MemberView']

/** The member of the selected row. */
export function MemberContext({ uid }: { uid: string }) {
  const strings = useConsoleStrings()
  const { requests: t } = strings
  const { data, error, refetch } = useQuery(memberOptions(uid))
  return (
    <Card
      title={t.member({ uid })}
      actions={<Link to={`/admin/member?uid=${uid}`}>{t.wholeMember}</Link>}
    >
      {error ? (
        <ErrorNotice error={error} text={t.memberFailed} onRetry={() => void refetch()} />
      ) : data ? (
        <Facts facts={factsOf(data, strings)} />
      ) : (
        <Skeleton height={160} />
      )}
    </Card>
  )
}

function factsOf({ person, flags, marks, wallets, counts }: View, strings: ConsoleStrings) {
  const { requests: t, memberDetails } = strings
  const filled = wallets.filter(
    ({ account, posted }) => SPENDABLE.test(account) && !/^-?0(\.0+)?$/.test(posted),
  )
  return [
    [t.name, `${person.name} ${person.lastName}`.trim()],
    [t.email, person.email],
    [
      t.state,
      flags.blocked ? (
        <StatusBadge key="state" word={t.blocked} good={false} />
      ) : (
        <StatusBadge key="state" word={flags.active ? t.active : t.inactive} good={flags.active} />
      ),
    ],
    ...(flags.newEmail || flags.newWallet
      ? ([
          [
            t.changed,
            <span key="changed" className={styles.note}>
              {[flags.newEmail && t.newEmail, flags.newWallet && t.newWallet]
                .filter(Boolean)
                .join(', ')}
            </span>,
          ],
        ] as const)
      : []),
    ...(marks.length > 0
      ? ([
          [memberDetails.flags, marks.map(({ flag }) => memberDetails.flagNames[flag]).join(', ')],
        ] as const)
      : []),
    [t.openTickets, counts.openTickets],
    ...filled.map(
      ({ account, available }) =>
        [
          accountName(account, strings.console),
          <Amount key={account} value={available} />,
        ] as const,
    ),
  ] as const
}

/** Funds and incomes; positions are on the member's page. */
const SPENDABLE = /^L:(FUND|INCOME):/
