import { useEffect, useState } from 'react'
import { refreshAll } from '@/lib/api/dashboard.ts'
import { isUnanswered } from '@/lib/api/submit.ts'
import { exactMoney, isAmount, minus, plus, signOf } from '@/lib/money.ts'
import type { Rule } from '@/lib/rules/rule.ts'
import type { CheckedForm } from './form.ts'

/** What pressing the button will do. */
export interface Effect {
  /** In a sentence. */
  text: string
  /** Which wallet pays. */
  wallet: string
  /** Undefined while it is not known. */
  balance: string | undefined
  /** As typed; it may not be an amount yet. */
  amount: string
  /** On top of the amount, unless `receives` says that it comes out of it. */
  fee?: string
  /** What is left of the amount for whoever receives it, when the fee comes out of it. */
  receives?: string
  /** The server may take less than the amount, and alone knows. */
  atMost?: boolean
}

/** What the balance must hold. Undefined while it is not known. */
export function needOf({ balance, amount, fee = '0', receives }: Effect) {
  const typed = isAmount(amount) ? amount : '0'
  const need = plus(typed, receives === undefined ? fee : '0')
  const after = balance === undefined ? undefined : minus(balance, need)
  return { typed, need, after, tooLittle: after !== undefined && signOf(after) < 0 }
}

/** A wallet pays what it has. */
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
 * Goes on with what is filled in, but not if the server is known to refuse it: that is told at its
 * field. `waits` while what the rules ask is on its way.
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
    // What was not answered may have been done, and changed what is known: the same again tells.
    if (isUnanswered(form.getValues()) || form.passes(known)) goOn()
  })
  return async () => {
    if (step !== 'none') return
    setStep('looking')
    // A balance that was read an hour ago is no reason to refuse.
    if (known.some(({ fails }) => fails(form.getValues()))) await refreshAll()
    setStep('known')
  }
}
