import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, MailWarning } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { answerOf, wordsOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { formatMoment, zone } from '@/lib/dates.ts'
import { useSession } from '@/lib/session.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { say } from '@/lib/toast.ts'
import styles from './AccountBanner.module.css'
import { useVisit } from './visit.ts'

const CHANGE = '/TransactionPassword'

/** What the member still has to do to protect the account, on every screen until it is done. */
export function AccountBanner() {
  const { userId } = useSession()
  const { pathname } = useLocation()
  const visit = useVisit()
  const { data } = useQuery({
    queryKey: ['account', userId, pathname],
    queryFn: async () => (await answerOf(api.GET('/api/account'))).data,
  })
  if (!data || visit) return null
  return (
    <>
      {(data.pending !== '' || data.confirmed === '') && (
        <EmailBanner email={data.email} pending={data.pending} />
      )}
      {data.transactionPasswordEnds !== '' && pathname !== CHANGE && (
        <PinBanner ends={data.transactionPasswordEnds} />
      )}
    </>
  )
}

function EmailBanner({ email, pending }: { email: string; pending: string }) {
  const { memberShell: t, actions } = useStrings()
  const [busy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    try {
      await answerOf(api.POST('/api/email/send'))
      say.success(t.emailSent(pending || email))
    } catch (error) {
      say.error(wordsOf(error, t.emailNotSent))
    }
    setBusy(false)
  }
  return (
    <section className={styles.banner} aria-label={t.emailLabel}>
      <MailWarning size={18} aria-hidden="true" />
      <span className={styles.text}>
        {pending ? t.emailPending(pending, email) : t.emailUnconfirmed(email)}
      </span>
      <Button size="xs" variant="default" disabled={busy} onClick={() => void send()}>
        {busy ? actions.processing : t.emailAgain}
      </Button>
    </section>
  )
}

function PinBanner({ ends }: { ends: string }) {
  const { memberShell: t } = useStrings()
  const over = Date.parse(ends) <= Date.now()
  return (
    <section className={styles.banner} aria-label={t.pinLabel}>
      <KeyRound size={18} aria-hidden="true" />
      <span className={styles.text}>
        {over ? t.pinOver : t.pinMailed(formatMoment(ends, zone()))}
      </span>
      <Anchor component={Link} to={over ? '/Support' : CHANGE}>
        {over ? t.pinSupport : t.pinChoose}
      </Anchor>
    </section>
  )
}
