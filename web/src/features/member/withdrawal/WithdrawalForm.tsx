import { Alert, Button, NativeSelect, TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Digits } from '@/components/form/Digits.tsx'
import { type Effect, enough, useKnown } from '@/components/form/effect.ts'
import { type CheckedForm, outcomeOf, useCheckedForm, useSend } from '@/components/form/form.ts'
import { MoneyForm } from '@/components/form/MoneyForm.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { underKey } from '@/lib/api/submit.ts'
import { formatMoment, zone } from '@/lib/dates.ts'
import { balanceOf, fundOptions } from '@/lib/funds.ts'
import { formatMoney, isAmount, minus, share, signOf } from '@/lib/money.ts'
import type { PasskeyWords } from '@/lib/passkey.ts'
import { useDashboard } from '@/lib/queries/dashboard.ts'
import { useMoneyRules } from '@/lib/queries/moneyRules.ts'
import {
  factorAbove,
  sendOtpRules,
  type WithdrawalValues,
  withdrawableRules,
  withdrawalByFactorRules,
  withdrawalRules,
} from '@/lib/rules/forms.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import type { Rule } from '@/lib/rules/rule.ts'
import { useSession } from '@/lib/session.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { type Confirming, FactorField, NeedsFactor, signOrder, useConfirming } from './byFactor.tsx'
import { useAddress, useBalances } from './queries.ts'
import styles from './Withdrawal.module.css'
import { isFree, WALLETS, type Wallet } from './wallets.ts'

/** `sentFor` identifies the withdrawal that the last code was sent for; empty without one. */
type Values = WithdrawalValues & { sentFor: string } & Record<string, unknown>

const USDT = 'USDT'
const BY = 'By User'
const DONE = ['result.withdrawal_sent']
const CODE_SENT = ['result.successful']
const FIELDS = {
  Request_amount: 'amount',
  Wtype: 'incomeType',
  withdrawlType: 'withdrawalType',
  Email: 'email',
} as const

/**
 * A code is valid for exactly these values. Without a type the server mails a code for the only one,
 * so that choosing it afterwards changes nothing.
 */
const orderOf = ({ amount, incomeType, withdrawalType }: Values) =>
  `${incomeType} ${withdrawalType || USDT} ${amount}`

export function WithdrawalForm() {
  const { withdrawal: t, passkeyUse } = useMemberStrings()
  const { userId } = useSession()
  const by = useConfirming()
  const form = useCheckedForm<Values>(
    { amount: '', incomeType: '', withdrawalType: USDT, email: '', otp: '', sentFor: '' },
    rulesOf(by),
    // A member who reads the mail on the same phone returns to the code's input.
    { screen: 'WithdrawalRequest', fields: ['amount', 'incomeType', 'withdrawalType', 'sentFor'] },
  )
  useOwnEmail(form)
  const effect = useEffectOf()
  const refusals = useRefusals(form.values, by)
  const { sentFor } = form.values
  const setSentFor = (order: string) => form.setFieldValue('sentFor', order)
  const code = useCode(
    form,
    [...refusals, enough<Values>('amount', effect(form.values))],
    setSentFor,
  )
  return (
    <MoneyForm
      form={form}
      submit={!by.guarded && sentFor === '' ? undefined : t.submit}
      before={code.send}
      effect={effect}
      call={(values, key) => withdraw(values, userId, by.guarded ? passkeyUse : null, key)}
      outcome={({ data }) => outcomeOf(data.Result, data, DONE)}
      fields={FIELDS}
      priced="amount"
      refusals={refusals}
      onDone={() => setSentFor('')}
    >
      <Order form={form} mailed={!by.guarded} />
      <Waits />
      {by.above !== null && !by.guarded && (
        <p className={styles.note}>
          <NeedsFactor by={by} />
        </p>
      )}
      {by.guarded && <FactorField by={by} input={form.getInputProps('otp')} />}
      {!by.guarded && <SendOtp code={code} sentFor={sentFor} waits={by.isPending} />}
      {!by.guarded && sentFor !== '' && (
        <OtpField form={form} stale={sentFor !== orderOf(form.values)} />
      )}
    </MoneyForm>
  )
}

/** `words` are the texts for a passkey, which signs if no code is entered; null without one. */
async function withdraw(
  { otp, ...order }: Values,
  uid: string,
  words: PasskeyWords | null,
  key: string,
) {
  const proof = words && otp === '' ? { passkey: await signOrder(order, words) } : { otp }
  const body = {
    uid,
    Request_amount: order.amount,
    ...proof,
    email: order.email,
    withdrawlType: order.withdrawalType,
    withdrawlby: BY,
    Wtype: order.incomeType,
  }
  return answerOf(api.POST('/api/Withdrawal', { body, ...underKey(key) }))
}

/** The code goes to the member's own address. */
function useOwnEmail(form: CheckedForm<Values>) {
  const { data: row } = useDashboard()
  const { setFieldValue } = form
  const email = row?.email ?? ''
  const { email: entered } = form.values
  useEffect(() => {
    if (entered !== email) setFieldValue('email', email)
  }, [email, entered, setFieldValue])
}

function useEffectOf() {
  const { withdrawal: t } = useMemberStrings()
  const { data: balances } = useBalances()
  const { data: rules } = useMoneyRules()
  const { data: address } = useAddress()
  const funds = useFundsDebited()
  return ({ amount, incomeType }: Values): Effect => {
    const typed = isAmount(amount) ? amount : '0'
    const fee = isFree(incomeType) || !rules ? '0' : share(typed, rules.withdrawChargePPM)
    return {
      text: t.effect({ address: address ?? '' }),
      ...(rules?.notBefore && {
        note: t.notBefore({ when: formatMoment(rules.notBefore, zone()) }),
      }),
      ...(isFree(incomeType) && { terms: funds(typed) }),
      wallet: t.wallets[incomeType as Wallet] ?? '–',
      balance: balances?.[incomeType],
      amount,
      fee,
      receives: minus(typed, fee),
    }
  }
}

/** The funds are debited one after the other, as the server does it. */
function useFundsDebited() {
  const strings = useMemberStrings()
  const { data: row } = useDashboard()
  return (amount: string) => {
    let left = amount
    return fundOptions(strings).flatMap(({ value, label }) => {
      const has = (row && balanceOf(row, value)) ?? '0'
      const part = signOf(minus(has, left)) < 0 ? has : left
      left = minus(left, part)
      const name = strings.withdrawal.fromFund({ fund: label })
      return signOf(part) > 0 ? [[name, formatMoney(part)] as const] : []
    })
  }
}

/** Checks that do not depend on the balance: no code is sent if they fail. */
function useRefusals({ incomeType }: Values, by: Confirming): readonly Rule<Values>[] {
  const { data: rules } = useMoneyRules()
  const factor = by.guarded || by.above === null ? [] : [factorAbove(by.above)]
  if (!rules) return factor
  const min = isFree(incomeType) ? '0' : rules.withdrawMin
  return [...factor, ...withdrawableRules(min, rules.withdrawDaily)]
}

/** With a passkey the app's code may be empty. */
const rulesOf = ({ guarded, passkey, app }: Confirming) =>
  !guarded ? withdrawalRules : withdrawalByFactorRules(app && !passkey)

/** A running wait after a change of security settings. */
function Waits() {
  const { withdrawal: t } = useMemberStrings()
  const { data: rules } = useMoneyRules()
  if (!rules?.notBefore) return null
  const when = formatMoment(rules.notBefore, zone())
  return (
    <Alert variant="default" title={t.waitsTitle({ when })}>
      {t.waitsText({ when })}
    </Alert>
  )
}

function Order({ form, mailed }: { form: CheckedForm<Values>; mailed: boolean }) {
  const { withdrawal: t } = useMemberStrings()
  const { userId } = useSession()
  const { data: balances } = useBalances()
  const wallets = WALLETS.map((value) => ({ value, label: t.wallets[value] }))
  // Withdrawals are whole dollars.
  const whole = balances?.[form.values.incomeType]?.replace(/\..*/, '') ?? ''
  return (
    <>
      <TextInput label={t.userId} value={userId} readOnly />
      <NativeSelect
        label={t.incomeType}
        data={[{ value: '', label: t.selectIncomeType }, ...wallets]}
        {...form.getInputProps('incomeType')}
      />
      <NativeSelect
        label={t.type}
        data={[
          { value: '', label: t.selectType },
          { value: USDT, label: t.usdt },
        ]}
        {...form.getInputProps('withdrawalType')}
      />
      <Digits
        dollars
        label={t.amount}
        most={LIMITS.amount}
        rightSectionWidth={64}
        rightSection={
          <Button
            variant="subtle"
            size="compact-sm"
            disabled={whole === ''}
            onClick={() => form.setFieldValue('amount', whole)}
          >
            {t.max}
          </Button>
        }
        {...form.getInputProps('amount')}
      />
      {mailed && <TextInput label={t.email} readOnly {...form.getInputProps('email')} />}
    </>
  )
}

/** Sends a code, unless the server would certainly refuse the withdrawal. */
function useCode(
  form: CheckedForm<Values>,
  known: readonly Rule<Values>[],
  onSent: (order: string) => void,
) {
  const { withdrawal: t } = useMemberStrings()
  const { busy, send } = useSend({
    form,
    call: ({ email, amount, incomeType, withdrawalType }: Values) =>
      answerOf(
        api.POST('/api/Withdrawalupdate', {
          body: {
            Email: email,
            Request_amount: amount,
            Wtype: incomeType,
            withdrawlType: withdrawalType,
          },
        }),
      ),
    outcome: (answer) => outcomeOf(answer.data, answer, CODE_SENT, t.otpSent),
    fields: FIELDS,
    onDone: () => onSent(orderOf(form.getValues())),
    isStep: true,
  })
  const ask = useKnown(form, known, () => void send())
  return {
    busy,
    send: () => {
      if (!busy && form.passes(sendOtpRules)) void ask()
    },
  }
}

interface SendOtpProps {
  code: ReturnType<typeof useCode>
  sentFor: string
  /** It is not known yet whether a code is mailed at all. */
  waits: boolean
}

function SendOtp({ code, sentFor, waits }: SendOtpProps) {
  const { withdrawal: t, actions } = useMemberStrings()
  const { busy, send } = code
  // It is then the form's only button, and Enter presses it.
  const first = sentFor === ''
  return (
    <Button
      variant={first ? 'filled' : 'default'}
      disabled={busy || waits}
      {...(first ? { type: 'submit' } : { onClick: send })}
    >
      {busy ? actions.processing : first ? t.sendOtp : t.sendOtpAgain}
    </Button>
  )
}

function OtpField({ form, stale }: { form: CheckedForm<Values>; stale: boolean }) {
  const { withdrawal: t } = useMemberStrings()
  const { data: rules } = useMoneyRules()
  const box = useRef<HTMLDivElement>(null)
  // The code is typed here next. The pressed button loses the focus while it is disabled, but keeps
  // it if the answer comes before the next frame; a member who returns from the mail app has no
  // focus; a member who has moved to another field stays there.
  useEffect(() => {
    const at = document.activeElement
    const pressed = at instanceof HTMLButtonElement && at.form?.contains(box.current)
    if (pressed || at === document.body) box.current?.querySelector('input')?.focus()
  }, [])
  return (
    <div ref={box}>
      <Digits
        label={t.otp}
        most={LIMITS.otp}
        description={rules && t.otpHint({ minutes: rules.codeMinutes })}
        autoComplete="one-time-code"
        {...form.getInputProps('otp')}
      />
      <p role="status" className={styles.stale}>
        {stale && t.otpOther}
      </p>
    </div>
  )
}
