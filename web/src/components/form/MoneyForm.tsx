import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { formatMoney, signOf } from '@/lib/money.ts'
import { refreshAll } from '@/lib/queries/dashboard.ts'
import type { Rule } from '@/lib/rules/rule.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { Amount } from '../Amount.tsx'
import { ConfirmDialog } from '../ConfirmDialog.tsx'
import { type Effect, enough, needOf, useKnown } from './effect.ts'
import { type CheckedForm, type Outcome, useSend } from './form.ts'
import styles from './MoneyForm.module.css'
import { type Done, Receipt } from './Receipt.tsx'
import { Restored } from './Restored.tsx'

interface MoneyFormProps<Values extends object, Answer> {
  form: CheckedForm<Values>
  children: ReactNode
  /** The text of the button; without it there is none. */
  submit: string | undefined
  /** Handles Enter in a form without a button of its own. */
  before?: () => void
  effect: (values: Values) => Effect
  /** The field of the amount, which shows an insufficient balance. */
  priced: keyof Values & string
  /**
   * Errors that the server would certainly return: they are shown at the field before the
   * confirmation.
   */
  refusals?: readonly Rule<Values>[]
  /** The values that `refusals` needs are loading: the button waits for them. */
  waits?: boolean
  call: (values: Values, key: string) => Promise<Answer>
  outcome: (answer: Answer) => Outcome
  fields?: Readonly<Record<string, string>>
  /** Called after the toast, once the balances are read again. */
  onDone?: (answer: Answer) => void
  /**
   * Called when the confirmation opens and after the answer: the surrounding element must stay
   * open.
   */
  onAsking?: (asking: boolean) => void
  /** Called when the receipt is closed. */
  onFinish?: () => void
}

/**
 * Every form that moves money: the effect, the confirmation, the call, the toast and the receipt.
 * Afterwards the form is empty and every balance is read again.
 */
export function MoneyForm<Values extends object, Answer>(props: MoneyFormProps<Values, Answer>) {
  const { form, children, submit, call, outcome, fields, onDone, onAsking, onFinish } = props
  const { priced, refusals = [], waits = false, before } = props
  const { actions, moneyForm } = useStrings()
  /** The focus then stays on the refused field instead of returning to the button. */
  const [atField, setAtField] = useState(false)
  const effect = props.effect(form.values)
  const known = [...refusals, enough<Values>(priced, effect)]
  const [asking, setAsking] = useState(false)
  const [done, setDone] = useState<Done | null>(null)
  const open = () => {
    setDone(null)
    setAsking(true)
  }
  const ask = useKnown(form, known, open, waits)
  // While the answered dialog fades out the form is empty already.
  const asked = asking || !done ? effect : done.effect
  const { busy, send } = useSend({
    form,
    call,
    outcome,
    fields,
    onDone: async (answer) => {
      // The dialog has been answered; while the balances are read again it would show an empty
      // form.
      setAsking(false)
      setDone({ effect, at: `${new Date().toISOString().slice(0, 19)}Z` })
      form.reset()
      await refreshAll()
      onDone?.(answer)
    },
  })
  useEffect(() => onAsking?.(asking), [asking, onAsking])
  const finish = () => {
    setDone(null)
    onFinish?.()
  }
  const press = (event: FormEvent) => {
    event.preventDefault()
    setAtField(false)
    if (submit === undefined) before?.()
    else if (form.passes()) void ask()
  }
  const confirm = async () => {
    setAtField((await send()) === 'at field')
    setAsking(false)
  }
  return (
    <form onSubmit={press} noValidate className={styles.form}>
      {done && <Receipt done={done} onClose={finish} />}
      <Restored form={form} />
      {children}
      {effect.balance !== undefined && <EffectView effect={effect} />}
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
        confirm={moneyForm.confirm({ amount: formatMoney(needOf(asked).typed) })}
        onConfirm={() => void confirm()}
        onClose={() => setAsking(false)}
      >
        <p className={styles.figure}>
          <Amount value={needOf(asked).typed} />
        </p>
        <p className={styles.sentence}>{asked.text}</p>
        <EffectView effect={asked} />
      </ConfirmDialog>
    </form>
  )
}

function EffectView({ effect }: { effect: Effect }) {
  const { moneyForm: t } = useStrings()
  const { wallet, balance, fee = '0', receives, terms = [], note } = effect
  const { typed, after, tooLittle } = needOf(effect)
  const payer = [
    [t.from, wallet],
    [t.before, balance === undefined ? '–' : <Amount key="before" value={balance} />],
  ] as const
  const sums = [
    [t.amount, <Amount key="amount" value={typed} />],
    [t.fee, <Amount key="fee" value={fee} />],
    ...(receives === undefined
      ? []
      : [[t.receives, <Amount key="receives" value={receives} />] as const]),
    [t.after, after === undefined ? '–' : <Amount key="after" value={after} />],
  ] as const
  const lines = [...payer, ...(signOf(typed) > 0 ? sums : []), ...terms]
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
      {note && <p className={styles.note}>{note}</p>}
      {tooLittle && <p className={styles.warning}>{t.tooLittle}</p>}
    </div>
  )
}
