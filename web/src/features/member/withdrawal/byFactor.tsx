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

/** How the member confirms a withdrawal: by a mailed code, or by a second factor. */
export function useConfirming() {
  const { passkeyUse } = useMemberStrings()
  const { data, isPending } = useFactor()
  const guarded = Boolean(data?.set)
  const has = guarded && (data?.passkeys.length ?? 0) > 0
  const why = has ? whyNot(data?.origin ?? '', passkeyUse) : ''
  return {
    /** Not known yet. */
    isPending,
    /** By a second factor, and not by a mailed code. */
    guarded,
    app: guarded && data?.app === true,
    passkey: has && why === '',
    /** Why a passkey that there is cannot be used here. */
    why,
    /** Above it there has to be a second factor; null if that is not asked for. */
    above: data?.above ?? null,
  }
}

export type Confirming = ReturnType<typeof useConfirming>

interface Order {
  amount: string
  incomeType: string
  withdrawalType: string
}

/** Has a passkey sign exactly this withdrawal: it is good for no other. */
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
  /** Of the form: value, error and what happens at a change. */
  input: object
}

/** Where the app's code is typed; who has only passkeys reads that one is asked for. */
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

/** What large withdrawals ask for, and where that is set up. */
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
