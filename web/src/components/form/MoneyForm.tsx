import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { refreshAll } from '@/lib/api/dashboard.ts'
import type { Rule } from '@/lib/rules/rule.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { Amount } from '../Amount.tsx'
import { ConfirmDialog } from '../ConfirmDialog.tsx'
import { type Effect, enough, needOf, useKnown } from './effect.ts'
import { type CheckedForm, type Outcome, useSend } from './form.ts'
import styles from './MoneyForm.module.css'
import { Restored } from './Restored.tsx'

interface MoneyFormProps<Values extends object, Answer> {
  form: CheckedForm<Values>
  children: ReactNode
  /** What the button says; without it there is none. */
  submit: string | undefined
  /** What is done instead while there is none, by a button among the children or by Enter. */
  before?: () => void
  effect: (values: Values) => Effect
  /** Which field says how much; a balance that is too small is told there. */
  priced: keyof Values & string
  /** What the server is known to refuse: it is told at its field, and not asked to be confirmed. */
  refusals?: readonly Rule<Values>[]
  /** What `refusals` asks is on its way: the press of the button waits for it. */
  waits?: boolean
  call: (values: Values, key: string) => Promise<Answer>
  outcome: (answer: Answer) => Outcome
  fields?: Readonly<Record<string, string>>
  /** After the toast, when balances are fresh again. */
  onDone?: (answer: Answer) => void
  /** While it is to be confirmed, and until the answer is there: what it stands in must stay. */
  onAsking?: (asking: boolean) => void
}

/**
 * The one way in which money is moved: see what will happen, confirm, wait, be told. Afterwards
 * the form is empty and every balance is read again.
 */
export function MoneyForm<Values extends object, Answer>(props: MoneyFormProps<Values, Answer>) {
  const { form, children, submit, call, outcome, fields, onDone, onAsking } = props
  const { priced, refusals = [], waits = false, before } = props
  const { actions, moneyForm } = useStrings()
  /** Then people stay at the field that was refused instead of going back to the button. */
  const [atField, setAtField] = useState(false)
  const effect = props.effect(form.values)
  const known = [...refusals, enough<Values>(priced, effect)]
  const [asking, setAsking] = useState(false)
  const ask = useKnown(form, known, () => setAsking(true), waits)
  const { busy, send } = useSend({
    form,
    call,
    outcome,
    fields,
    onDone: async (answer) => {
      // The question is answered, and would ask about an empty form while balances are read.
      setAsking(false)
      form.reset()
      await refreshAll()
      onDone?.(answer)
    },
  })
  useEffect(() => onAsking?.(asking), [asking, onAsking])
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
  const { wallet, balance, fee = '0', receives } = effect
  const { typed, after, tooLittle } = needOf(effect)
  const lines = [
    [t.from, wallet],
    [t.before, balance === undefined ? '–' : <Amount key="before" value={balance} />],
    [t.amount, <Amount key="amount" value={typed} />],
    [t.fee, <Amount key="fee" value={fee} />],
    ...(receives === undefined
      ? []
      : [[t.receives, <Amount key="receives" value={receives} />] as const]),
    [t.after, after === undefined ? '–' : <Amount key="after" value={after} />],
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
