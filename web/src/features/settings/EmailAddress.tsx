import { Button } from '@mantine/core'
import { Card } from '@/components/Card.tsx'
import { StatusBadge } from '@/components/StatusBadge.tsx'
import { useAccount } from '@/lib/account.ts'
import { formatMoment, zone } from '@/lib/dates.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Settings.module.css'
import { type Change, removeUndo } from './securityChanges.ts'

/** The address that codes and resets go to, and how long a former one can undo its change. */
export function EmailAddress({ onAsk }: { onAsk: (change: Change) => void }) {
  const strings = useMemberStrings()
  const { security: t } = strings
  const { data } = useAccount('security')
  if (!data) return null
  const { email, confirmed, undoUntil, undoRemovable } = data
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
        {undoUntil && (
          <>
            <p>{t.undoUntil(formatMoment(undoUntil, zone()))}</p>
            {Date.parse(undoRemovable) > Date.now() ? (
              <p className={styles.note}>{t.undoRests(formatMoment(undoRemovable, zone()))}</p>
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
