import { useEffect, useState } from 'react'
import { isUnanswered } from '@/lib/api/submit.ts'
import { exactMoney, isAmount, minus, plus, signOf } from '@/lib/money.ts'
import { refreshAll } from '@/lib/queries/dashboard.ts'
import type { Rule } from '@/lib/rules/rule.ts'
import type { CheckedForm } from './form.ts'

/** The effect of pressing the button. */
export interface Effect {
  /** As a sentence. */
  text: string
  /** The same once it is done, for the receipt. */
  done?: string
  /** The paying wallet. */
  wallet: string
  /** Undefined while it is loading. */
  balance: string | undefined
  /** As typed; it may not be an amount yet. */
  amount: string
  /** The fee on top of the amount, unless `receives` is given. */
  fee?: string
  /** The amount minus the fee, for a fee that is deducted from it. */
  receives?: string
  /** Conditions to read before confirming: names and values. */
  terms?: readonly (readonly [string, string])[]
  /** More lines of the receipt. */
  receipt?: readonly (readonly [string, string])[]
  /** A link that the receipt ends with. */
  next?: { to: string; text: string }
  /** A consequence that must not be missed. */
  note?: string
  /** Only the server knows how much of the amount it takes. */
  atMost?: boolean
}

/** The balance that is needed. Undefined while it is unknown. */
export function needOf({ balance, amount, fee = '0', receives }: Effect) {
  const typed = isAmount(amount) ? amount : '0'
  const need = plus(typed, receives === undefined ? fee : '0')
  const after = balance === undefined ? undefined : minus(balance, need)
  return { typed, need, after, tooLittle: after !== undefined && signOf(after) < 0 }
}

/** A wallet pays at most its balance. */
export function enough<Values>(field: keyof Values & string, effect: Effect): Rule<Values> {
  const { need, tooLittle } = needOf(effect)
  return {
    field,
    text: (t) =>
      t.insufficient({ available: exactMoney(effect.balance ?? '0'), needed: exactMoney(need) }),
    fails: () => tooLittle && !effect.atMost,
  }
}

/**
 * Continues if the values pass the checks; an error that the server would certainly return is shown
 * at its field. `waits` while the checks load their values.
 */
export function useKnown<Values>(
  form: CheckedForm<Values>,
  known: readonly Rule<Values>[],
  goOn: () => void,
  waits = false,
): () => Promise<void> {
  const [step, setStep] = useState<'none' | 'looking' | 'known'>('none')
  useEffect(() => {
    if (step !== 'known' || waits) return
    setStep('none')
    // An unanswered request may have been processed and have changed the balances: sending it again
    // tells.
    if (isUnanswered(form.getValues()) || form.passes(known)) goOn()
  })
  return async () => {
    if (step !== 'none') return
    setStep('looking')
    // A balance that was read long ago must not refuse the form.
    if (known.some(({ fails }) => fails(form.getValues()))) await refreshAll()
    setStep('known')
  }
}
