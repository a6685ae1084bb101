import { Anchor } from '@mantine/core'
import { KeyRound, MailWarning } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { SendLinkAgain } from '@/features/member/settings/SendLinkAgain.tsx'
import { formatMoment, zone } from '@/lib/dates.ts'
import { CORRECT } from '@/lib/paths.ts'
import { useAccount } from '@/lib/queries/account.ts'
import { useVisit } from '@/lib/queries/visit.ts'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './AccountBanner.module.css'

const CHANGE = '/TransactionPassword'

/** The steps that still protect the account, on every screen until they are done. */
export function AccountBanner() {
  const { pathname } = useLocation()
  const visit = useVisit()
  const { data } = useAccount(pathname)
  if (!data || visit) return null
  return (
    <>
      {(data.pending !== '' || data.confirmed === '') && (
        <EmailBanner email={data.email} pending={data.pending} correctable={data.correctable} />
      )}
      {data.transactionPasswordEnds !== '' && pathname !== CHANGE && (
        <PinBanner ends={data.transactionPasswordEnds} />
      )}
    </>
  )
}

interface EmailBannerProps {
  email: string
  pending: string
  correctable: boolean
}

function EmailBanner({ email, pending, correctable }: EmailBannerProps) {
  const { memberShell: t } = useStrings()
  return (
    <section className={styles.banner} aria-label={t.emailLabel}>
      <MailWarning size={18} aria-hidden="true" />
      <span className={styles.text}>
        {pending ? t.emailPending({ next: pending, email }) : t.emailUnconfirmed({ email })}
      </span>
      <div className={styles.acts}>
        <SendLinkAgain to={pending || email} />
        {correctable && (
          <span>
            {t.emailWrong}{' '}
            <Anchor component={Link} to={CORRECT}>
              {t.emailChange}
            </Anchor>
          </span>
        )}
      </div>
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
        {over ? t.pinOver : t.pinMailed({ ends: formatMoment(ends, zone()) })}
      </span>
      <Anchor component={Link} to={CHANGE}>
        {over ? t.pinAgain : t.pinChoose}
      </Anchor>
    </section>
  )
}
