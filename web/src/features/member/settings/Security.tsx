import { Alert, Button, Group, Skeleton } from '@mantine/core'
import { Clock } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Card } from '@/components/Card.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import { StatusBadge } from '@/components/StatusBadge.tsx'
import { formatDate, formatMoment, zone } from '@/lib/dates.ts'
import { formatMoney } from '@/lib/money.ts'
import { whyNot } from '@/lib/passkey.ts'
import { CORRECT } from '@/lib/paths.ts'
import { useAccount } from '@/lib/queries/account.ts'
import { type Factor, useFactor } from '@/lib/queries/factor.ts'
import { useMoneyRules } from '@/lib/queries/moneyRules.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { serverText } from '@/lib/strings/serverText.ts'
import { EmailAddress } from './EmailAddress.tsx'
import { SecurityDialog } from './SecurityDialog.tsx'
import { Sessions } from './Sessions.tsx'
import styles from './Settings.module.css'
import {
  type Change,
  correctEmail,
  newPasskey,
  type Passkey,
  remove,
  rename,
  renewCodes,
  setUpApp,
  turnOff,
} from './securityChanges.ts'

/** With fewer recovery codes left, the screen asks for new ones. */
const FEW_CODES = 3

interface PartProps {
  factor: Factor
  onAsk: (change: Change) => void
}

/** The second factor of the account, and the member's sessions. */
export function Component() {
  const strings = useMemberStrings()
  const { security: t, settings } = strings
  const { data, error, refetch } = useFactor()
  const [asked, setChange] = useState<Change | null>(null)
  const { data: account } = useAccount('security')
  const { pathname, hash } = useLocation()
  const navigate = useNavigate()
  // The target of the shell's banner, on every screen.
  const wrong = CORRECT.endsWith(hash) && hash !== '' && account?.correctable
  const change = asked ?? (wrong ? correctEmail(strings) : null)
  const close = () => {
    setChange(null)
    if (hash !== '') void navigate(pathname, { replace: true })
  }
  return (
    <>
      <PageHeader title={useRouteTitle()} />
      {error && <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={420} />}
      {data && (
        <div className={styles.security}>
          <WithdrawalPause until={data.waits} />
          <div className={styles.stack}>
            <EmailAddress onAsk={setChange} />
            <Overview factor={data} onAsk={setChange} />
            <App factor={data} onAsk={setChange} />
            {data.set !== '' && <Codes factor={data} onAsk={setChange} />}
          </div>
          <div className={styles.stack}>
            <Passkeys factor={data} onAsk={setChange} />
            <Card title={settings.sessions}>
              <Sessions />
            </Card>
          </div>
          <SecurityDialog factor={data} change={change} onClose={close} />
        </div>
      )}
    </>
  )
}

/**
 * After a change withdrawals pause, so that the owner has time to react to a change by somebody
 * else.
 */
function WithdrawalPause({ until }: { until: string }) {
  const { security: t } = useMemberStrings()
  if (until === '') return null
  return (
    <Alert
      variant="default"
      className={styles.whole ?? ''}
      title={t.waitsTitle({ until: formatMoment(until, zone()) })}
      icon={<Clock size={20} aria-hidden="true" />}
    >
      {t.waitsText}
    </Alert>
  )
}

function State({ on, words: [yes, no] }: { on: boolean; words: [string, string] }) {
  return on ? <StatusBadge word={yes} good /> : <span className={styles.note}>{no}</span>
}

function Overview({ factor, onAsk }: PartProps) {
  const strings = useMemberStrings()
  const { security: t } = strings
  const { data: rules } = useMoneyRules()
  const on = factor.set !== ''
  return (
    <Card title={t.title} actions={<State on={on} words={[t.on, t.off]} />}>
      <div className={styles.stack}>
        <p>{on ? t.onText({ since: formatDate(factor.set, zone()) }) : t.offText}</p>
        {factor.above && <p>{t.above({ amount: formatMoney(factor.above) })}</p>}
        {rules && <p className={styles.note}>{t.waitNote({ hours: rules.accessWaitHours })}</p>}
        {on && (
          <Button
            variant="default"
            className={styles.start ?? ''}
            onClick={() => onAsk(turnOff(strings))}
          >
            {t.turnOff}
          </Button>
        )}
      </div>
    </Card>
  )
}

function App({ factor: { app }, onAsk }: PartProps) {
  const strings = useMemberStrings()
  const { security: t } = strings
  return (
    <Card title={t.app} actions={<State on={app} words={[t.appOn, t.appOff]} />}>
      <div className={styles.stack}>
        <p className={styles.note}>{t.appText}</p>
        <Button
          variant={app ? 'default' : 'filled'}
          className={styles.start ?? ''}
          onClick={() => onAsk(setUpApp(strings, app))}
        >
          {app ? t.replaceApp : t.setUpApp}
        </Button>
      </div>
    </Card>
  )
}

function Codes({ factor: { recoveryLeft: left }, onAsk }: PartProps) {
  const strings = useMemberStrings()
  const { security: t } = strings
  return (
    <Card
      title={t.codes}
      actions={<StatusBadge word={t.codesLeft({ count: left })} good={left >= FEW_CODES} />}
    >
      <div className={styles.stack}>
        <p className={styles.note}>{t.codesNote}</p>
        <Button
          variant="default"
          className={styles.start ?? ''}
          onClick={() => onAsk(renewCodes(strings))}
        >
          {t.newCodes}
        </Button>
      </div>
    </Card>
  )
}

function Passkeys({ factor, onAsk }: PartProps) {
  const strings = useMemberStrings()
  const { security: t, passkeyUse } = strings
  const { passkeys, app } = factor
  const why = serverText(factor.refusal, factor) || whyNot(factor.origin, passkeyUse)
  const last = !app && passkeys.length === 1
  const add = () =>
    onAsk(newPasskey(strings, passkeyUse, t.passkeyName({ number: passkeys.length + 1 })))
  return (
    <Card title={t.passkeys}>
      <div className={styles.stack}>
        <p className={styles.note}>{t.passkeysText}</p>
        {passkeys.length > 0 && (
          <ul className={styles.sessions}>
            {passkeys.map((row) => (
              <Line
                key={row.id}
                row={row}
                onRename={() => onAsk(rename(strings, row))}
                onRemove={() => onAsk(remove(strings, row, last))}
              />
            ))}
          </ul>
        )}
        {why ? (
          <p className={styles.note}>{why}</p>
        ) : (
          <Button variant="default" className={styles.start ?? ''} onClick={add}>
            {t.addPasskey}
          </Button>
        )}
      </div>
    </Card>
  )
}

interface LineProps {
  row: Passkey
  onRename: () => void
  onRemove: () => void
}

function Line({ row, onRename, onRemove }: LineProps) {
  const { security: t } = useMemberStrings()
  const { name, created, used } = row
  return (
    <li className={styles.session}>
      <div className={styles.where}>
        <p>{name}</p>
        <p className={styles.note}>
          {t.added({ when: formatDate(created, zone()) })}
          {used && ` · ${t.used({ when: formatMoment(used, zone()) })}`}
        </p>
      </div>
      <Group gap="xs" justify="flex-end">
        <Button variant="default" size="xs" aria-label={t.renameOf({ name })} onClick={onRename}>
          {t.rename}
        </Button>
        <Button variant="default" size="xs" aria-label={t.removeOf({ name })} onClick={onRemove}>
          {t.remove}
        </Button>
      </Group>
    </li>
  )
}
