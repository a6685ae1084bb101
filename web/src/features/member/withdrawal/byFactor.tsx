import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { Digits } from '@/components/form/Digits.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { formatMoney } from '@/lib/money.ts'
import { type PasskeyWords, signByPasskey, whyNot } from '@/lib/passkey.ts'
import { useFactor } from '@/lib/queries/factor.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Withdrawal.module.css'

/** The way to confirm a withdrawal: a mailed code, or a second factor. */
export function useConfirming() {
  const { passkeyUse } = useMemberStrings()
  const { data, isPending } = useFactor()
  const guarded = Boolean(data?.set)
  const has = guarded && (data?.passkeys.length ?? 0) > 0
  const why = has ? whyNot(data?.origin ?? '', passkeyUse) : ''
  return {
    /** Still loading. */
    isPending,
    /** By a second factor, without a mailed code. */
    guarded,
    app: guarded && data?.app === true,
    passkey: has && why === '',
    /** Why the member's passkey cannot be used on this page. */
    why,
    /** The amount from which a second factor is needed; null without such a limit. */
    above: data?.above ?? null,
  }
}

export type Confirming = ReturnType<typeof useConfirming>

interface Order {
  amount: string
  incomeType: string
  withdrawalType: string
}

/** Signs exactly this withdrawal with a passkey. */
export async function signOrder(order: Order, words: PasskeyWords) {
  const body = {
    Request_amount: order.amount,
    Wtype: order.incomeType,
    withdrawlType: order.withdrawalType,
  }
  const { data } = await answerOf(api.POST('/api/factor/withdrawal', { body }))
  return signByPasskey(data, words)
}

interface FactorFieldProps {
  by: Confirming
  /** The form's input props. */
  input: object
}

/** The input of the app's code; members with passkeys only read that one is needed. */
export function FactorField({ by: { app, passkey, why }, input }: FactorFieldProps) {
  const { withdrawal: t } = useMemberStrings()
  if (!app) return <p className={styles.note}>{passkey ? t.byPasskey : why}</p>
  return (
    <Digits
      label={t.appCode}
      description={passkey ? t.appCodeOrPasskey : t.appCodeHint}
      most={LIMITS.otp}
      autoComplete="one-time-code"
      {...input}
    />
  )
}

/** The notice that large withdrawals need a second factor, with a link to set it up. */
export function NeedsFactor({ by: { guarded, above } }: { by: Confirming }) {
  const { withdrawal: t } = useMemberStrings()
  if (guarded || above === null) return null
  return (
    <>
      {t.needsFactor({ above: formatMoney(above) })}{' '}
      <Anchor component={Link} to="/Security">
        {t.setFactor}
      </Anchor>
    </>
  )
}
