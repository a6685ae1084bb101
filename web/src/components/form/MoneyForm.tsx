import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { refreshAll } from '@/lib/api/dashboard.ts'
import { formatMoney, isAmount, minus, signOf } from '@/lib/money.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { ConfirmDialog } from '../ConfirmDialog.tsx'
import { type CheckedForm, type Outcome, useSend } from './form.ts'
import styles from './MoneyForm.module.css'
import { Restored } from './Restored.tsx'

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
}

interface MoneyFormProps<Values, Answer> {
  form: CheckedForm<Values>
  children: ReactNode
  /** What the button says; without it there is none. */
  submit: string | undefined
  effect: (values: Values) => Effect
  call: (values: Values, key: string) => Promise<Answer>
  outcome: (answer: Answer) => Outcome
  fields?: Readonly<Record<string, string>>
  /** After the toast, when balances are fresh again. */
  onDone?: (answer: Answer) => void
}

/**
 * The one way in which money is moved: see what will happen, confirm, wait, be told. Afterwards
 * the form is empty and every balance is read again.
 */
export function MoneyForm<Values, Answer>(props: MoneyFormProps<Values, Answer>) {
  const { form, children, submit, call, outcome, fields, onDone } = props
  const { actions, moneyForm } = useStrings()
  const [asking, setAsking] = useState(false)
  /** Then people stay at the field that was refused instead of going back to the button. */
  const [atField, setAtField] = useState(false)
  const effect = props.effect(form.values)
  const { busy, send } = useSend({
    form,
    call,
    outcome,
    fields,
    onDone: async (answer) => {
      form.reset()
      await refreshAll()
      onDone?.(answer)
    },
  })

  const ask = (event: FormEvent) => {
    event.preventDefault()
    if (submit === undefined || !form.passes()) return
    setAtField(false)
    setAsking(true)
  }
  const confirm = async () => {
    setAtField((await send()) === 'at field')
    setAsking(false)
  }
  return (
    <form onSubmit={ask} noValidate className={styles.form}>
      <Restored form={form} />
      {children}
      <EffectView effect={effect} />
      {submit !== undefined && (
        <Button type="submit" disabled={busy}>
          {busy ? actions.processing : submit}
        </Button>
      )}
      <ConfirmDialog
        opened={asking}
        title={moneyForm.confirmTitle}
        busy={busy}
        returnFocus={!atField}
        {...(submit !== undefined && { confirm: submit })}
        onConfirm={() => void confirm()}
        onClose={() => setAsking(false)}
      >
        <p className={styles.sentence}>{effect.text}</p>
        <EffectView effect={effect} />
      </ConfirmDialog>
    </form>
  )
}

function EffectView({ effect }: { effect: Effect }) {
  const { moneyForm: t } = useStrings()
  const { wallet, balance, amount, fee = '0', receives } = effect
  const typed = isAmount(amount) ? amount : '0'
  const onTop = receives === undefined ? fee : '0'
  const after = balance === undefined ? undefined : minus(balance, typed, onTop)
  const tooLittle = after !== undefined && signOf(after) < 0
  const lines = [
    [t.from, wallet],
    [t.before, balance === undefined ? '–' : formatMoney(balance)],
    [t.amount, formatMoney(typed)],
    [t.fee, formatMoney(fee)],
    ...(receives === undefined ? [] : [[t.receives, formatMoney(receives)] as const]),
    [t.after, after === undefined ? '–' : formatMoney(after)],
  ] as const
  return (
    <div className={styles.effect}>
      <dl>
        {lines.map(([name, value]) => (
          <div key={name} className={styles.line}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {tooLittle && <p className={styles.warning}>{t.tooLittle}</p>}
    </div>
  )
}
