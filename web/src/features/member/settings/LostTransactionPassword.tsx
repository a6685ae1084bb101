import { Button } from '@mantine/core'
import { useState } from 'react'
import { Card } from '@/components/Card.tsx'
import { useAccount } from '@/lib/queries/account.ts'
import { useFactor } from '@/lib/queries/factor.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { SecurityDialog } from './SecurityDialog.tsx'
import { SendLinkAgain } from './SendLinkAgain.tsx'
import styles from './Settings.module.css'
import { type Change, mailTransactionPassword } from './securityChanges.ts'

/** Has a new transaction password mailed, in place of a lost or expired one. */
export function LostTransactionPassword() {
  const strings = useMemberStrings()
  const { settings: t } = strings
  const { data: account } = useAccount('lost')
  // The server refuses the second factor to a visit, which cannot request a password either.
  const { data: factor } = useFactor()
  const [change, setChange] = useState<Change | null>(null)
  if (!account || !factor) return null
  const { email, confirmed, transactionPasswordEnds: ends } = account
  const ended = ends !== '' && Date.parse(ends) <= Date.now()
  return (
    <Card
      title={ended ? t.transactionEnded : t.transactionLost}
      className={`${styles.narrow} ${styles.below}`}
    >
      <div className={styles.stack}>
        {confirmed === '' ? (
          <>
            <p>{t.transactionUnconfirmed({ email })}</p>
            <div>
              <SendLinkAgain to={email} />
            </div>
          </>
        ) : (
          <>
            <p>{t.transactionLostText({ email })}</p>
            <p className={styles.note}>{t.transactionLostWait}</p>
            <Button
              variant="default"
              className={styles.start ?? ''}
              onClick={() => setChange(mailTransactionPassword(strings, email))}
            >
              {t.transactionMail}
            </Button>
          </>
        )}
      </div>
      <SecurityDialog factor={factor} change={change} onClose={() => setChange(null)} />
    </Card>
  )
}
