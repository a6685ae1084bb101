import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { Card } from '@/components/Card.tsx'
import { StatusBadge } from '@/components/StatusBadge.tsx'
import { answerOf, errorText } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { formatMoment, zone } from '@/lib/dates.ts'
import { refreshAccount, useAccount } from '@/lib/queries/account.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { toast } from '@/lib/toast.ts'
import { SendLinkAgain } from './SendLinkAgain.tsx'
import styles from './Settings.module.css'
import { type Change, correctEmail, removeUndo } from './securityChanges.ts'

/** The address for codes and resets, and how long the former one can undo its change. */
export function EmailAddress({ onAsk }: { onAsk: (change: Change) => void }) {
  const strings = useMemberStrings()
  const { security: t, memberShell } = strings
  const { data } = useAccount('security')
  if (!data) return null
  const { email, confirmed, correctable, pending, undoUntil, undoRemovable } = data
  return (
    <Card
      title={t.email}
      actions={
        <StatusBadge word={confirmed ? t.emailConfirmed : t.emailWaits} good={confirmed !== ''} />
      }
    >
      <div className={styles.stack}>
        <p dir="auto" className={styles.where}>
          {email}
        </p>
        {correctable && (
          <Group gap="sm">
            <span>{memberShell.emailWrong}</span>
            <Button size="xs" variant="default" onClick={() => onAsk(correctEmail(strings))}>
              {memberShell.emailChange}
            </Button>
          </Group>
        )}
        {pending && <Pending email={email} pending={pending} />}
        {undoUntil && (
          <>
            <p>{t.undoUntil({ until: formatMoment(undoUntil, zone()) })}</p>
            {Date.parse(undoRemovable) > Date.now() ? (
              <p className={styles.note}>
                {t.undoRests({ from: formatMoment(undoRemovable, zone()) })}
              </p>
            ) : (
              <Button
                variant="default"
                className={styles.start ?? ''}
                onClick={() => onAsk(removeUndo(strings))}
              >
                {t.undoRemove}
              </Button>
            )}
          </>
        )}
      </div>
    </Card>
  )
}

/** A pending new address, which can be cancelled here. */
function Pending({ email, pending }: { email: string; pending: string }) {
  const { security: t, memberShell, actions } = useMemberStrings()
  const [busy, setBusy] = useState(false)
  const cancel = async () => {
    setBusy(true)
    try {
      await answerOf(api.POST('/api/email/cancel'))
      toast.success(t.pendingCancelled({ email }))
      await refreshAccount()
    } catch (error) {
      toast.error(errorText(error, t.pendingNotCancelled))
    }
    setBusy(false)
  }
  return (
    <>
      <p className={styles.where}>{memberShell.emailPending({ next: pending, email })}</p>
      <p className={styles.note}>{t.pendingNote}</p>
      <Group gap="sm">
        <Button size="xs" variant="default" disabled={busy} onClick={() => void cancel()}>
          {busy ? actions.processing : t.pendingCancel}
        </Button>
        <SendLinkAgain to={pending} />
      </Group>
    </>
  )
}
