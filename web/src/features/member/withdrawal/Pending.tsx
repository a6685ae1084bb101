import { Anchor, Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { Amount } from '@/components/Amount.tsx'
import { Card } from '@/components/Card.tsx'
import { ConfirmDialog } from '@/components/ConfirmDialog.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { outcomeOf, useCheckedForm, useSend } from '@/components/form/form.ts'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import { formatMoment, zone } from '@/lib/dates.ts'
import { formatMoney } from '@/lib/money.ts'
import { refreshAll } from '@/lib/queries/dashboard.ts'
import { incomeReportOptions } from '@/lib/queries/incomeReport.ts'
import { useSession } from '@/lib/session.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Withdrawal.module.css'
import type { Wallet } from './wallets.ts'

type Row = components['schemas']['ReportRow']

const TYPE = 'WithdrawlHistory'
const CANCELLED = ['result.withdrawal_cancelled']
/** The newest come first, and pending ones are among them. */
const ROWS = 100
const NO_RULES = [] as const

const pendingOf = (rows: readonly Row[]) => rows.filter(({ ss }) => ss === 'Pending')

/** Requests that no operator has decided yet: the member can cancel them. */
export function Pending() {
  const { withdrawal: t, table } = useMemberStrings()
  const { userId } = useSession()
  const { data, error, refetch } = useQuery({
    ...incomeReportOptions(userId, TYPE, ROWS),
    select: pendingOf,
  })
  return (
    <Card
      title={t.pendingTitle}
      actions={
        <Anchor component={Link} to="/WithdrawLog">
          {t.history}
        </Anchor>
      }
    >
      {error ? (
        <ErrorNotice error={error} text={table.failed} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={60} />
      ) : data.length === 0 ? (
        <p className={styles.note}>{t.pendingEmpty}</p>
      ) : (
        <ul className={styles.list}>
          {data.map((row) => (
            <Request key={row.uid} row={row} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Request({ row }: { row: Row }) {
  const { withdrawal: t, actions } = useMemberStrings()
  const { userId } = useSession()
  const [asking, setAsking] = useState(false)
  const id = row.id ?? ''
  const { busy, send } = useSend({
    form: useCheckedForm({}, NO_RULES),
    call: (_, key) =>
      answerOf(api.POST('/api/CancelWithdrawal', { body: { uid: userId, id }, ...underKey(key) })),
    outcome: ({ data }) => outcomeOf(data.Result, data, CANCELLED, t.cancelled),
    onDone: () => {
      setAsking(false)
      return refreshAll()
    },
  })
  return (
    <li className={styles.request}>
      <div>
        <p>
          <Amount value={row.Request_amount ?? '0'} /> ·{' '}
          {t.wallets[row.Wtype as Wallet] ?? row.Wtype}
        </p>
        <p className={styles.note}>
          {id}
          {row.notBefore && ` · ${t.notBefore({ when: formatMoment(row.notBefore, zone()) })}`}
        </p>
      </div>
      <Button
        variant="default"
        size="xs"
        aria-label={t.cancelOf({ id })}
        onClick={() => setAsking(true)}
      >
        {t.cancel}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t.cancelOf({ id })}
        confirm={t.cancel}
        dismiss={actions.keep}
        busy={busy}
        onConfirm={() => void send()}
        onClose={() => setAsking(false)}
      >
        <p>{t.cancelAsk({ amount: formatMoney(row.Request_amount ?? '0') })}</p>
      </ConfirmDialog>
    </li>
  )
}
