import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Amount } from '@/components/Amount.tsx'
import { Card } from '@/components/Card.tsx'
import { ConfirmDialog } from '@/components/ConfirmDialog.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { outcomeOf, useCheckedForm, useSend } from '@/components/form/form.ts'
import { PasswordField } from '@/components/form/PasswordField.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import { formatDay } from '@/lib/dates.ts'
import { formatMoney } from '@/lib/money.ts'
import { refreshAll } from '@/lib/queries/dashboard.ts'
import { refundRules } from '@/lib/rules/forms.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import { useSession } from '@/lib/session.ts'
import { type MemberStrings, useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Activation.module.css'
import { refundableOptions } from './queries.ts'

type Purchase = components['schemas']['HistoryRow']

const DONE = ['result.refunded']

/** The purchases that the member can still cancel for a refund. */
export function Refunds() {
  const { activations: t, table } = useMemberStrings()
  const { userId } = useSession()
  const { data, error, refetch } = useQuery(refundableOptions(userId))
  return (
    <Card title={t.refundTitle}>
      {error ? (
        <ErrorNotice error={error} text={table.failed} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={60} />
      ) : data.length === 0 ? (
        <p className={styles.note}>{t.refundEmpty}</p>
      ) : (
        <ul className={styles.refunds}>
          {data.map((row) => (
            <RefundRow key={row.id} row={row} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function RefundRow({ row }: { row: Purchase }) {
  const { activations: t } = useMemberStrings()
  const { userId } = useSession()
  const [asking, setAsking] = useState(false)
  const form = useCheckedForm({ transactionPassword: '' }, refundRules)
  const what = `${row.pp}, ${t.refundLine({ name: row.f_name, id: row.uid })}`
  const { busy, send } = useSend({
    form,
    call: ({ transactionPassword }, key) =>
      answerOf(
        api.POST('/api/RefundPurchase', {
          body: { uid: userId, sale: row.id, ctrans_password: transactionPassword },
          ...underKey(key),
        }),
      ),
    outcome: ({ data }) => outcomeOf(data.RESULT, data, DONE, t.refundDone),
    fields: { ctrans_password: 'transactionPassword' },
    onDone: () => {
      setAsking(false)
      return refreshAll()
    },
  })
  return (
    <li className={styles.refund}>
      <div>
        <p dir="auto">{what}</p>
        <p className={styles.note}>
          <Amount value={row.Amount} /> · {formatDay(row.dd)}
        </p>
        {row.return_until && (
          <p className={styles.due}>
            {t.refundBy({ day: formatDay(row.return_until) })}, {leftOf(row.return_days ?? 0, t)}
          </p>
        )}
        {row.upgraded && <p className={styles.note}>{t.upgradeFirst}</p>}
      </div>
      {row.refundable && (
        <Button
          variant="default"
          size="xs"
          className={styles.refundButton}
          aria-label={t.refundOf({ what })}
          onClick={() => setAsking(true)}
        >
          {t.refund}
        </Button>
      )}
      <ConfirmDialog
        opened={asking}
        title={t.refundOf({ what: row.pp })}
        confirm={t.refundConfirm}
        busy={busy}
        onConfirm={() => form.passes() && void send()}
        onClose={() => setAsking(false)}
      >
        <p className={styles.ask}>{t.refundAsk({ what, amount: formatMoney(row.Amount) })}</p>
        <PasswordField
          label={t.transactionPassword}
          maxLength={LIMITS.transactionPassword}
          autoComplete="off"
          {...form.getInputProps('transactionPassword')}
        />
      </ConfirmDialog>
    </li>
  )
}

/** The days of the cooling-off that are left, after today. */
const leftOf = (days: number, t: MemberStrings['activations']): string =>
  days <= 0 ? t.lastDay : days === 1 ? t.oneDayLeft : t.daysLeft({ days: String(days) })
