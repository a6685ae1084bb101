import { Button, NativeSelect } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Card } from '@/components/Card.tsx'
import { ConfirmDialog } from '@/components/ConfirmDialog.tsx'
import { Copy } from '@/components/Copy.tsx'
import { Digits } from '@/components/form/Digits.tsx'
import { outcomeOf, useCheckedForm, useSend } from '@/components/form/form.ts'
import { PlainForm } from '@/components/form/PlainForm.tsx'
import { StatusBadge } from '@/components/StatusBadge.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { underKey } from '@/lib/api/submit.ts'
import { formatMoment, zone } from '@/lib/dates.ts'
import { fundName, fundOptions } from '@/lib/funds.ts'
import { shortMoney } from '@/lib/money.ts'
import { refreshAll } from '@/lib/queries/dashboard.ts'
import { announceRules } from '@/lib/rules/forms.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import { useSession } from '@/lib/session.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import {
  countdown,
  type Intent,
  inUsdt,
  type Standing,
  standingOf,
  useDeposit,
  useRequests,
} from './deposit.ts'
import styles from './Funds.module.css'
import { PayTo } from './PayTo.tsx'
import type { Deposit } from './queries.ts'

const DONE = ['result.done']
const FIELDS = { Fundtype: 'fundType' } as const
const NO_RULES = [] as const

/** An amount is announced before the payment: its cents identify the payment. */
export function Announce() {
  const strings = useMemberStrings()
  const { deposit: t, funds } = strings
  const { userId } = useSession()
  const form = useCheckedForm({ amount: '', fundType: '' }, announceRules)
  return (
    <Card title={t.announce}>
      <p className={styles.lead}>{t.announceText}</p>
      <PlainForm
        form={form}
        submit={t.announceSubmit}
        call={({ amount, fundType }, key) =>
          answerOf(
            api.POST('/api/DepositIntent', {
              body: { uid: userId, amount, Fundtype: fundType },
              ...underKey(key),
            }),
          )
        }
        outcome={(answer) => outcomeOf(answer.data, answer, DONE, t.announced)}
        fields={FIELDS}
        onDone={() => {
          form.reset()
          return refreshAll()
        }}
      >
        <NativeSelect
          label={funds.fundType}
          data={[{ value: '', label: funds.selectFund }, ...fundOptions(strings)]}
          {...form.getInputProps('fundType')}
        />
        <Digits
          dollars
          label={funds.amountDollars}
          most={LIMITS.amount}
          {...form.getInputProps('amount')}
        />
      </PlainForm>
    </Card>
  )
}

/** The announced payments and their states; those to be paid first, with the address. */
export function Announced({ deposit }: { deposit: Deposit }) {
  const strings = useMemberStrings()
  const t = strings.deposit
  const { intents, seen } = deposit
  const { data: requests = [] } = useRequests(intents.some(({ request }) => request !== ''))
  if (intents.length === 0) return null
  const all = intents.map((intent) => ({ intent, at: standingOf(intent, seen, requests) }))
  const open = all.filter(({ intent, at }) => intent.state === 'open' && at.kind === 'waiting')
  const rest = all.filter((one) => !open.includes(one))
  return (
    <>
      {open.map(({ intent }) => (
        <ToPay key={intent.id} intent={intent} now={deposit.now} />
      ))}
      {rest.length > 0 && (
        <Card title={t.earlier}>
          <ul className={styles.lines}>
            {rest.map(({ intent, at }) => (
              <li key={intent.id} className={styles.line}>
                <div className={styles.what}>
                  <p>
                    {inUsdt(shortMoney(intent.amount))} · {fundName(intent.Fundtype, strings)}
                  </p>
                  <p className={styles.note}>{formatMoment(intent.opened, zone())}</p>
                </div>
                <PaymentState at={at} />
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

const GOOD: Readonly<Record<Standing['kind'], boolean | undefined>> = {
  waiting: undefined,
  seen: undefined,
  person: undefined,
  confirmed: true,
  expired: false,
  rejected: false,
}

function PaymentState({ at }: { at: Standing }) {
  const { deposit: t } = useMemberStrings()
  const word =
    at.kind === 'seen'
      ? t.seen({ confirmations: at.confirmations, needed: at.needed })
      : t.standings[at.kind]
  return <StatusBadge word={word} good={GOOD[at.kind]} />
}

function ToPay({ intent, now }: { intent: Intent; now: string }) {
  const { deposit: t } = useMemberStrings()
  const { amount, address, expires } = intent
  const exact = shortMoney(amount)
  const [asking, setAsking] = useState(false)
  return (
    <Card
      title={`${t.payExactly} ${inUsdt(exact)}`}
      actions={<StatusBadge word={t.standings.waiting} good={undefined} />}
    >
      <div className={styles.address}>
        <div className={styles.exactly}>
          <span className={styles.amount}>{inUsdt(exact)}</span>
          <Copy text={exact} copied={t.amountCopied} label={t.amountLabel} />
        </div>
        <PayTo address={address} label={t.to} labelled />
        <p className={styles.note}>{t.oneOnly}</p>
        <div className={styles.exactly}>
          <p>
            {t.timeLeft}: <TimeLeft expires={expires} now={now} />
          </p>
          <Button
            variant="default"
            size="xs"
            aria-label={t.cancelOf({ amount: exact })}
            onClick={() => setAsking(true)}
          >
            {t.cancel}
          </Button>
        </div>
      </div>
      <Cancel id={intent.id} asking={asking} onClose={() => setAsking(false)} />
    </Card>
  )
}

interface CancelProps {
  id: string
  asking: boolean
  onClose: () => void
}

function Cancel({ id, asking, onClose }: CancelProps) {
  const { deposit: t, actions } = useMemberStrings()
  const { userId } = useSession()
  const { busy, send } = useSend({
    form: useCheckedForm({}, NO_RULES),
    call: (_, key) =>
      answerOf(
        api.POST('/api/CancelDepositIntent', { body: { uid: userId, id }, ...underKey(key) }),
      ),
    outcome: () => ({ done: true, text: t.cancelled }),
    onDone: () => {
      onClose()
      return refreshAll()
    },
  })
  return (
    <ConfirmDialog
      opened={asking}
      title={t.cancelTitle}
      confirm={t.cancelConfirm}
      dismiss={actions.keep}
      busy={busy}
      onConfirm={() => void send()}
      onClose={onClose}
    >
      <p>{t.cancelText}</p>
    </ConfirmDialog>
  )
}

/** By the server's clock: the device's may be wrong. */
function TimeLeft({ expires, now }: { expires: string; now: string }) {
  const { dataUpdatedAt, refetch } = useDeposit()
  const [tick, setTick] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setTick(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const left = Date.parse(expires) - Date.parse(now) - (tick - dataUpdatedAt)
  const over = left <= 0
  useEffect(() => {
    if (over) void refetch()
  }, [over, refetch])
  return (
    <span role="timer" className={styles.timer}>
      {countdown(left) || '0:00'}
    </span>
  )
}
